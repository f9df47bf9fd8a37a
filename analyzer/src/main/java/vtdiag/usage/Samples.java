package vtdiag.usage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import vtdiag.account.Account;
import vtdiag.account.Use;
import vtdiag.model.StackTrace;
import vtdiag.pin.ThreadEvent;
import vtdiag.recording.EventTable;
import vtdiag.recording.RecordingData;
import vtdiag.recording.RecordingFacts.EventSetting;

/** The samples of virtual threads on their carriers, in the order of time. */
final class Samples {
  /**
   * A virtual thread that was running.
   *
   * @param thread its id
   */
  record Sample(long atNanos, long thread, StackTrace stack) {}

  /** In 19 of 20 cases a count is no more than this many times its root off. */
  private static final double TWICE = 2;

  final ThreadEvent event;
  final List<Sample> all;
  final long periodNanos;
  private final double carrierNanosOfOne;

  private Samples(ThreadEvent event, List<Sample> all, long periodNanos, double carrierNanosOfOne) {
    this.event = event;
    this.all = all;
    this.periodNanos = periodNanos;
    this.carrierNanosOfOne = carrierNanosOfOne;
  }

  /** Those of threads that ran Java code. */
  static Samples java(RecordingData data, Account account) {
    return of(data, ThreadEvent.EXECUTION_SAMPLE, account, Use.JAVA);
  }

  /** Those of threads in native code. */
  static Samples inNative(RecordingData data, Account account) {
    return of(data, ThreadEvent.NATIVE_SAMPLE, account, Use.NATIVE);
  }

  private static Samples of(RecordingData data, ThreadEvent event, Account account, Use use) {
    List<Sample> all = new ArrayList<>();
    EventTable events = data.events();
    for (int row = 0; row < events.size(); row++) {
      if (events.event(row) == event) {
        all.add(
            new Sample(
                events.startNanos(row),
                events.threads().get(events.thread(row)).id(),
                events.looks().get(events.look(row)).stack()));
      }
    }
    all.sort(Comparator.comparingLong(Sample::atNanos));
    long period =
        Optional.ofNullable(data.facts().settings().get(event.eventName()))
            .filter(EventSetting::enabled)
            .map(EventSetting::periodNanos)
            .orElse(0L);
    // The sampler takes few threads at a time, and none while it has no processor itself; what
    // others counted is nearer to the truth. Of file I/O there are native samples too.
    double counted =
        use == Use.NATIVE
            ? account.share(Use.NATIVE).nanos() + account.share(Use.FILE).nanos()
            : account.share(use).nanos();
    double each = all.isEmpty() ? 0 : Math.max((double) period, counted / all.size());
    return new Samples(event, List.copyOf(all), period, each);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The carrier time that so many of them stand for. */
  double carrierNanos(long samples) {
    return samples * carrierNanosOfOne;
  }

  /** The carrier time that they stand for at the least: few of them may be chance. */
  double leastCarrierNanos(long samples) {
    return carrierNanos(samples) * Math.max(0, 1 - TWICE / Math.sqrt((double) samples));
  }
}
