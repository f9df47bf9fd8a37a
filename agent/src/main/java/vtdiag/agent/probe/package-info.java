/** Code woven into the JDK with Byte Buddy, and nowhere else. */
package vtdiag.agent.probe;
