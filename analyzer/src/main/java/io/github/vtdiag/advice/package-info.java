/**
 * What to do about each finding: {@link io.github.vtdiag.advice.Advisor} combines findings, the
 * safety rules and the library versions that are known to be fixed into a {@link
 * io.github.vtdiag.advice.Recommendation}, with what it frees.
 */
package io.github.vtdiag.advice;
