package io.github.vtdiag.advice;

import io.github.vtdiag.analysis.CauseSets.Freed;

/**
 * What following a piece of advice is expected to bring.
 *
 * @param freed the carrier time it frees in the whole recording, from every single pin
 * @param ofFinding the part of it that is this finding's
 * @param aloneFreed the part of {@code ofFinding} that is freed if what has to go together with it
 *     is left
 * @param sharing whether the threads met at one lock
 * @param prediction the throughput to expect, if the recording tells enough
 */
public record Effect(
    Freed freed, Freed ofFinding, Freed aloneFreed, Sharing sharing, Prediction prediction) {}
