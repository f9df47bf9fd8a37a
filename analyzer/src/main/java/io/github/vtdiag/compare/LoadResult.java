package io.github.vtdiag.compare;

import java.util.Optional;

/**
 * The result of a load.
 *
 * @param answered the number of good answers in the measured time
 * @param requests the number of requests due in the measured time
 * @param errors the number of them that were answered badly or broke off
 * @param unanswered the number of them without an answer when waiting ended, some not even sent
 * @param latency from when a request was due to its good answer, or until waiting ended; empty if
 *     none was due
 */
public record LoadResult(
    long answered, long requests, long errors, long unanswered, Optional<Latency> latency) {}
