/**
 * The agent's figures for others: as OpenMetrics text over HTTP and as a JMX bean. Nothing here is
 * loaded unless it was asked for.
 */
package io.github.vtdiag.agent.metrics;
