/** Reports for programs, as {@code docs/json-schema.md} says. */
package io.github.vtdiag.report.json;
