package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.findings.UsageTally.ByPlace;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.recording.EventSelection;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.EventTable.Look;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds virtual threads in a pool. The pool's worker is on every stack of such a thread. The code
 * that made the pool is on none, because the event of a thread's start comes from that thread.
 */
final class PooledThreads {
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
  private static final String SCHEDULER = "java.util.concurrent.ScheduledThreadPoolExecutor";

  /**
   * The fewest threads of a pool: a single thread keeps an order, which is a valid reason for one.
   */
  private static final int POOL_OF = 2;

  /** If less than this part of the workers is idle, tasks wait for a worker. */
  private static final double SOME_IDLE = 0.1;

  /** Every event of a worker. */
  static final EventSelection EVENTS =
      (event, frames) -> isWorker(frames) ? EventSelection.Detail.ROWS : EventSelection.Detail.NONE;

  private final Places places;
  private final ByPlace working = new ByPlace();
  private final Set<String> events = new TreeSet<>();
  private long evidence;
  private double workers;
  private double idle;
  private double most;

  private PooledThreads(Places places) {
    this.places = places;
  }

  static List<Behavior> find(DetectorInput in) {
    RecordingData data = in.data();
    PooledThreads pooled = new PooledThreads(in.places());
    pooled.read(data.events());
    pooled.read(data.waits());
    return pooled.finding(data.waits().looks().size()).stream().toList();
  }

  private void read(EventTable table) {
    IdentityHashMap<StackTrace, Boolean> workers = new IdentityHashMap<>();
    UsageTally[] tasks = new UsageTally[table.looks().size()];
    for (int number = 0; number < tasks.length; number++) {
      Look look = table.looks().get(number);
      if (table.count(number) > 0
          && workers.computeIfAbsent(look.stack(), stack -> isWorker(stack.frames()))) {
        saw(look.event().eventName(), table.count(number));
        tasks[number] = task(look.stack());
      }
    }
    for (int row = 0; row < table.size(); row++) {
      UsageTally task = tasks[table.look(row)];
      if (task != null) {
        task.add(1, table.threads().get(table.thread(row)).id());
      }
    }
  }

  /** Reads the waiting threads, which matter most: most threads wait most of the time. */
  private void read(SeenWaits waits) {
    Map<Integer, Optional<UsageTally>> tasks = new HashMap<>();
    for (WaitLook look : waits.looks()) {
      double each = look.looked() == 0 ? 0 : (double) look.alive() / look.looked();
      double now = 0;
      for (WaitCrowd crowd : waits.crowds().getOrDefault(look.number(), List.of())) {
        Optional<UsageTally> task =
            tasks.computeIfAbsent(crowd.stack(), number -> taskOfWorker(waits, number));
        if (task.isPresent()) {
          saw(Events.WAIT_CROWD, 1);
          now += each * crowd.threads();
          if (task.get().inside.isPresent()) {
            task.get().add(crowd.threads(), 0);
          } else {
            idle += each * crowd.threads();
          }
        }
      }
      workers += now;
      most = Math.max(most, now);
    }
  }

  private Optional<UsageTally> taskOfWorker(SeenWaits waits, int number) {
    StackTrace stack = waits.stacks().getOrDefault(number, StackTrace.ABSENT);
    return isWorker(stack.frames()) ? Optional.of(task(stack)) : Optional.empty();
  }

  private void saw(String event, long times) {
    events.add(event);
    evidence += times;
  }

  /** Returns the place where a worker's task begins; it has no frames if the worker is idle. */
  private UsageTally task(StackTrace stack) {
    Optional<Frame> task = Places.outsideJdk(stack.frames().reversed());
    return working.at(task.filter(places::isApplication), task);
  }

  private Optional<Behavior> finding(int looks) {
    List<UsageTally> tasks = new ArrayList<>(working.notable());
    tasks.removeIf(used -> used.inside.isEmpty());
    long threads =
        Math.max(
            Math.round(most),
            tasks.stream().mapToLong(used -> used.threads.size()).max().orElse(0));
    if (threads < POOL_OF || evidence == 0) {
      return Optional.empty();
    }
    Optional<UsageTally> place = tasks.stream().findFirst();
    FindingBuilder found =
        new FindingBuilder(MisuseKind.POOLED_THREADS, place.flatMap(used -> used.inside))
            .at(place.flatMap(used -> used.site), places)
            .subject("ThreadPoolExecutor")
            .threads(threads, most > 0)
            .limits(workers > 0 && idle < SOME_IDLE * workers);
    if (most > 0) {
      found.atOnce(workers / looks, Math.round(most), -1);
      found.detail("idle", Math.round(idle / looks));
    }
    events.forEach(event -> found.seen(0, event));
    return Optional.of(found.evidence(evidence).finding());
  }

  /**
   * Returns whether a thread belongs to a pool that is no scheduler: a scheduler needs to keep
   * threads.
   */
  static boolean isWorker(List<Frame> frames) {
    boolean worker = false;
    for (Frame frame : frames) {
      if (frame.type().name().startsWith(SCHEDULER)) {
        return false;
      }
      worker |= frame.type().name().equals(WORKER);
    }
    return worker;
  }
}
