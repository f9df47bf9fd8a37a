/**
 * Versions of libraries from the user's own Maven repository and the remote ones that the settings
 * name, as Maven takes them. Nothing else uses the network, and this only on request.
 */
package io.github.vtdiag.maven;
