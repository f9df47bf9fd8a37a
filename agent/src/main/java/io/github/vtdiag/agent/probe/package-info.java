/** Code woven into classes while the JVM loads them, the JDK's and the application's. */
package io.github.vtdiag.agent.probe;
