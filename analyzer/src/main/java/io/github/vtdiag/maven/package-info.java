/**
 * Versions of libraries from the user's own Maven repository and the remote ones that his settings
 * name, as Maven takes them. Nothing else talks to a network, and this only when it is asked to.
 */
package io.github.vtdiag.maven;
