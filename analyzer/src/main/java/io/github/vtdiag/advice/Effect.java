package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.CauseSets.Freed;

/**
 * The expected effect of following a piece of advice.
 *
 * @param freed the carrier time it frees in the whole recording, from every single pin
 * @param ofFinding the part of it that belongs to this finding
 * @param aloneFreed the part of {@code ofFinding} that the recommendation frees alone
 * @param sharing whether the threads met at one lock
 * @param prediction the throughput to expect, if the recording shows enough
 */
public record Effect(
    Freed freed, Freed ofFinding, Freed aloneFreed, Sharing sharing, Prediction prediction) {}
