package io.github.vtdiag.usage;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.recording.EventSelection;
import io.github.vtdiag.recording.EventSelection.Detail;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.RecordingData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What one recording tells of virtual threads that are used for what they are not made for. */
public final class UsageFindings {
  private static final KnownCaches CACHES = KnownCaches.load();

  /**
   * What is asked of events: of threads on their carriers, file I/O and refusals all; how many
   * threads were started, and how much was allocated; of the rest those on stacks of which it
   * matters how many threads have them.
   */
  public static final EventSelection EVENTS =
      (event, frames) ->
          switch (event) {
            case EXECUTION_SAMPLE,
                NATIVE_SAMPLE,
                FILE_READ,
                FILE_WRITE,
                FILE_FORCE,
                SUBMIT_FAILED ->
                Detail.ROWS;
            case ALLOCATION_SAMPLE ->
                ThreadLocalCaches.mayMake(frames, CACHES) || PooledThreads.isWorker(frames)
                    ? Detail.ROWS
                    : Detail.TOTALS;
            case THREAD_START -> PooledThreads.isWorker(frames) ? Detail.ROWS : Detail.TOTALS;
            case CPU_SAMPLE,
                PARK,
                SLEEP,
                MONITOR_ENTER,
                MONITOR_WAIT,
                SOCKET_READ,
                SOCKET_WRITE,
                THREAD_END ->
                PooledThreads.isWorker(frames) ? Detail.ROWS : Detail.NONE;
          };

  private UsageFindings() {}

  /**
   * Finds it.
   *
   * @param account where the carriers' time went
   * @param owners whose code a class is
   * @param pins what the pins told, which is not told again
   */
  public static List<OtherFinding> of(
      RecordingData data, Account account, Function<ClassRef, Owner> owners, List<Finding> pins) {
    Places places = new Places(owners);
    int carriers = data.facts().parallelism().orElse(0);
    CarrierTime time = new CarrierTime(account, carriers);
    Samples java = Samples.java(data, account);
    Samples inNative = Samples.inNative(data, account);
    EventTable events = data.events();
    List<OtherFinding> found = new ArrayList<>();
    found.addAll(new BlockingUse(events, data.facts(), inNative, places, time).find(pins));
    List<OtherFinding> spinning = SpinningThreads.find(java, places, time);
    found.addAll(spinning);
    // Who gives way all the time is found all the time, and yet has not kept anything; and of who
    // keeps a carrier by its calls too, these are what to look at.
    if (spinning.isEmpty()) {
      new MonopolizedCarriers(java, places, time, carriers)
          .find().stream()
              .filter(each -> found.stream().noneMatch(other -> isSamePlace(each, other)))
              .forEach(found::add);
    }
    found.addAll(PooledThreads.find(data, places));
    found.addAll(ThreadLocalCaches.find(events, CACHES, places, time));
    found.addAll(Backlog.find(data.waits(), places));
    found.addAll(RefusedThreads.find(events, places));
    return List.copyOf(found);
  }

  private static boolean isSamePlace(OtherFinding one, OtherFinding other) {
    return one.site().isPresent()
        && one.site().map(Frame::qualifiedMethod).equals(other.site().map(Frame::qualifiedMethod));
  }
}
