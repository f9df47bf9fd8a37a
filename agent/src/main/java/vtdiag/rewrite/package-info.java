/**
 * The what-if: class bytes whose monitors become calls of {@code vtdiag.boot.Monitors}. Which
 * classes, which of their monitors must stay, and the bytes; ASM inside, nothing of the running
 * agent.
 */
package vtdiag.rewrite;
