/**
 * Tasks that only sleep, on virtual threads and in pools: the article's program, and the same with
 * a lock around some of the sleeps. Run by {@code vtdiag sample sleepers}.
 */
package samples.sleepers;
