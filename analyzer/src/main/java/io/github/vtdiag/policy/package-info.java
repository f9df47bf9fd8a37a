/** The file in which a team keeps what its gate allows. */
package io.github.vtdiag.policy;
