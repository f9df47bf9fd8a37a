/**
 * The bottleneck of the program, in one of a few answers: {@link
 * io.github.vtdiag.verdict.Conclusions} is a pure function of the findings.
 */
package io.github.vtdiag.verdict;
