/**
 * From findings and a policy to a verdict. What can be limited is a list, {@link
 * vtdiag.gate.Measures}.
 */
package vtdiag.gate;
