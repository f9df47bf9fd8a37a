/**
 * The carriers' time, divided by use. {@link io.github.vtdiag.account.Accounting} takes samples of
 * the agent's watch and events, and returns an {@link io.github.vtdiag.account.Account}. The agent,
 * a live view and the analysis of recordings all use it.
 */
package io.github.vtdiag.account;
