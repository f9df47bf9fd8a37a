/** The way from OpenRewrite's source files to {@code vtdiag patch} and back. */
package io.github.vtdiag.openrewrite;
