package vtdiag.measure;

/**
 * What a load brought to light.
 *
 * @param perSecond good answers in the measured time, a second
 * @param requests how many were due in the measured time
 * @param errors how many of them were answered badly or broke off
 * @param unanswered how many of them had no answer when waiting ended, some not even sent
 * @param latency from when a request was due to its good answer, or as far as it was waited for
 */
record LoadResult(double perSecond, long requests, long errors, long unanswered, Latency latency) {}
