/**
 * What limited the program, in one of a few answers: {@link vtdiag.verdict.Conclusions} is a pure
 * function of the findings.
 */
package vtdiag.verdict;
