/** From findings and a policy to a verdict. */
package vtdiag.gate;
