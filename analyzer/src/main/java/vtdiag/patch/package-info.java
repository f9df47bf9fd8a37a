/**
 * From locks that may move to a unified diff of their sources. The class files decide which places
 * take a lock; the sources are only edited there, token by token.
 */
package vtdiag.patch;
