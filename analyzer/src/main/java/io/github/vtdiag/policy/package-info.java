/** The file in which a team keeps its gate's policy. */
package io.github.vtdiag.policy;
