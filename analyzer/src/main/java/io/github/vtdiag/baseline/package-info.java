/** What a run had, and what has changed since another one. */
package io.github.vtdiag.baseline;
