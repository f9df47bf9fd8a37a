/** Reports as JSON, according to {@code docs/json-schema.md}. */
package io.github.vtdiag.report.json;
