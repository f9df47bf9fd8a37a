/**
 * Advice for findings. {@link io.github.vtdiag.advice.Advisor} combines findings, the safety rules
 * and the fixed versions of libraries into a {@link io.github.vtdiag.advice.Recommendation}.
 */
package io.github.vtdiag.advice;
