package io.github.vtdiag.compare;

import java.util.Optional;

/**
 * The result of a load.
 *
 * @param answered how many good answers came in the measured time
 * @param requests how many were due in the measured time
 * @param errors how many of them were answered badly or broke off
 * @param unanswered how many of them had no answer when waiting ended, some not even sent
 * @param latency from when a request was due to its good answer, or as far as it was waited for;
 *     empty if none was due
 */
public record LoadResult(
    long answered, long requests, long errors, long unanswered, Optional<Latency> latency) {}
