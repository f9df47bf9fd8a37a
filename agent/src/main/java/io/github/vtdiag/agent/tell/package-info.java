/**
 * The agent's output while the program runs and at its end: warnings, hangs, the summary, and the
 * figures for metrics.
 */
package io.github.vtdiag.agent.tell;
