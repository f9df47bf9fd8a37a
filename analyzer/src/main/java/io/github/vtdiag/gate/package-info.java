/**
 * From findings and a policy to a verdict. The possible limits are a list, {@link
 * io.github.vtdiag.gate.Measures}.
 */
package io.github.vtdiag.gate;
