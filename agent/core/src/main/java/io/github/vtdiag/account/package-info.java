/**
 * Where the carriers' time went. {@link io.github.vtdiag.account.Accounting} takes what was seen,
 * from the agent's watch or from events, and gives an {@link io.github.vtdiag.account.Account}; the
 * agent, a live view and the analysis of recordings all ask it.
 */
package io.github.vtdiag.account;
