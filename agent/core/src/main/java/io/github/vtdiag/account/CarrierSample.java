package io.github.vtdiag.account;

/**
 * What the watch saw of the carriers in a time, which is about a second: sums over its looks, each
 * of which counts for the time since the one before. All in nanoseconds of carriers, unless said.
 *
 * @param endNanos when that time ended, in nanoseconds since the epoch
 * @param spanNanos how long it was, by the clock
 * @param capacity of all carriers there were, and at least of those that the scheduler aims at
 * @param idle of those that carried nothing
 * @param java of those whose thread ran, and not in native code
 * @param inNative of those whose thread was in native code
 * @param waiting of those whose thread waited
 * @param blocked of those that carried nothing and waited themselves, for something else than work
 * @param unseen of which nothing is known, because a look came too late
 * @param processor what the carriers had of the processors; -1 if this JVM does not tell
 * @param looks at how many carriers it looked, all in all; fewer if some looks stand for more time
 * @param queued the sum over the threads that waited for a carrier of how long they did
 * @param mostQueued the most of them at a look
 * @param someQueued how long any waited, by the clock
 * @param rush what there was of that while no carrier was idle
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
   * The looks at which virtual threads waited for a carrier and none was idle.
   *
   * @param nanos how long, by the clock
   * @param java of the carriers then, those whose thread ran, and not in native code
   * @param inNative those whose thread was in native code
   * @param waiting those whose thread waited
   * @param blocked those that waited themselves
   */
  public record Saturation(long nanos, long java, long inNative, long waiting, long blocked) {
    public static final Saturation NONE = new Saturation(0, 0, 0, 0, 0);
  }

  /** The same without the time of which nothing is known. */
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

  /** Of an agent that did not look for this. */
  public static final CarrierSample NOTHING =
      new CarrierSample(0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, Saturation.NONE);
}
