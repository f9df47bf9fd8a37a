/**
 * What to do about each finding: {@link vtdiag.advice.Advisor} combines findings, the safety rules
 * and the library versions that are known to be fixed into a {@link vtdiag.advice.Recommendation},
 * with what it frees.
 */
package vtdiag.advice;
