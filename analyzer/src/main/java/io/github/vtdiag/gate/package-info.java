/**
 * From findings and a policy to a verdict. What can be limited is a list, {@link
 * io.github.vtdiag.gate.Measures}.
 */
package io.github.vtdiag.gate;
