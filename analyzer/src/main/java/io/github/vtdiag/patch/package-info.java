/**
 * The way from locks that can replace monitors to a unified diff of their sources. The class files
 * decide which places take a lock; the sources are edited only there, token by token.
 */
package io.github.vtdiag.patch;
