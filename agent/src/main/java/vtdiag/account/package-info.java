/**
 * Where the carriers' time went. {@link vtdiag.account.Accounting} takes what was seen, from the
 * agent's watch or from events, and gives an {@link vtdiag.account.Account}; the agent, a live view
 * and the analysis of recordings all ask it.
 */
package vtdiag.account;
