package io.github.vtdiag.account;

/**
 * The watch's samples of the carriers, summed over about a second. Each sample counts for the time
 * since the previous one. All in nanoseconds of carriers, unless stated.
 *
 * @param endNanos when that time ended, in nanoseconds since the epoch
 * @param spanNanos its length, by the clock
 * @param capacity of all carriers, and at least of as many as the scheduler aims at
 * @param idle of the carriers without a thread
 * @param java of the carriers whose thread ran, and not in native code
 * @param inNative of the carriers whose thread was in native code
 * @param waiting of the carriers whose thread waited
 * @param blocked of the carriers without a thread that waited themselves, but not for work
 * @param unseen of unknown use, because a sample was late
 * @param processor processor time of the carriers; -1 if this JVM does not give it
 * @param looks the number of sampled carriers in total; fewer if some samples stand for more time
 * @param queued the waiting time of the threads that were queued for a carrier, summed
 * @param mostQueued the most of them in a sample
 * @param someQueued the time in which there were any, by the clock
 * @param rush the part of that in which no carrier was idle
 */
public record CarrierSample(
    long endNanos,
    long spanNanos,
    long capacity,
    long idle,
    long java,
    long inNative,
    long waiting,
    long blocked,
    long unseen,
    long processor,
    long looks,
    long queued,
    long mostQueued,
    long someQueued,
    Saturation rush) {

  /**
   * The time in which virtual threads were queued and no carrier was idle.
   *
   * @param nanos its length, by the clock
   * @param java of the carriers then whose thread ran, and not in native code
   * @param inNative of those whose thread was in native code
   * @param waiting of those whose thread waited
   * @param blocked of those that waited themselves
   */
  public record Saturation(long nanos, long java, long inNative, long waiting, long blocked) {
    public static final Saturation NONE = new Saturation(0, 0, 0, 0, 0);
  }

  /** Returns this sample without the time of unknown use. */
  public CarrierSample seen() {
    return new CarrierSample(
        endNanos,
        spanNanos,
        capacity - unseen,
        idle,
        java,
        inNative,
        waiting,
        blocked,
        0,
        processor,
        looks,
        queued,
        mostQueued,
        someQueued,
        rush);
  }

  /** The sample of an agent that does not sample carriers. */
  public static final CarrierSample NOTHING =
      new CarrierSample(0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, Saturation.NONE);
}
