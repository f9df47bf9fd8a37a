/** The running recording: JFR's settings, the agent's events, the lock maps, and the file. */
package io.github.vtdiag.agent.recording;
