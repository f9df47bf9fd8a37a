package vtdiag.usage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import vtdiag.analysis.OtherFinding;
import vtdiag.analysis.OtherFinding.Kind;
import vtdiag.model.Frame;
import vtdiag.model.StackTrace;
import vtdiag.pin.Events;
import vtdiag.pin.WaitCrowd;
import vtdiag.pin.WaitLook;
import vtdiag.recording.EventTable;
import vtdiag.recording.EventTable.Look;
import vtdiag.recording.RecordingData;
import vtdiag.recording.SeenWaits;
import vtdiag.usage.Used.ByPlace;

/**
 * Virtual threads that a pool keeps. Whatever a thread was found at, the pool's worker is on its
 * stack; who made the pool is nowhere, for the event of a thread's start comes from that thread.
 */
final class PooledThreads {
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
  private static final String SCHEDULER = "java.util.concurrent.ScheduledThreadPoolExecutor";

  /** One keeps an order, which is a reason of its own. */
  private static final int POOL_OF = 2;

  /** If fewer than this part of the workers have nothing to do, tasks wait for one. */
  private static final double SOME_IDLE = 0.1;

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

  static List<OtherFinding> find(RecordingData data, Places places) {
    PooledThreads pooled = new PooledThreads(places);
    pooled.read(data.events());
    pooled.read(data.waits());
    return pooled.finding(data.waits().looks().size()).stream().toList();
  }

  private void read(EventTable table) {
    Map<StackTrace, Boolean> known = new HashMap<>();
    for (int row = 0; row < table.size(); row++) {
      Look look = table.looks().get(table.look(row));
      StackTrace stack = look.stack();
      if (known.computeIfAbsent(stack, PooledThreads::isWorker)) {
        saw(look.event().eventName());
        task(stack).add(1, table.threads().get(table.thread(row)).id());
      }
    }
  }

  /** The threads that wait are the better half: most do most of the time. */
  private void read(SeenWaits waits) {
    for (WaitLook look : waits.looks()) {
      double each = look.looked() == 0 ? 0 : (double) look.alive() / look.looked();
      double now = 0;
      for (WaitCrowd crowd : waits.crowds().getOrDefault(look.number(), List.of())) {
        StackTrace stack = waits.stacks().getOrDefault(crowd.stack(), StackTrace.ABSENT);
        if (isWorker(stack)) {
          saw(Events.WAIT_CROWD);
          now += each * crowd.threads();
          Used task = task(stack);
          if (task.inside.isPresent()) {
            task.add(crowd.threads(), 0);
          } else {
            idle += each * crowd.threads();
          }
        }
      }
      workers += now;
      most = Math.max(most, now);
    }
  }

  private void saw(String event) {
    events.add(event);
    evidence++;
  }

  /** Where a worker's task begins; nowhere if it has none. */
  private Used task(StackTrace stack) {
    Optional<Frame> task = Places.outsideJdk(stack.frames().reversed());
    return working.at(task.filter(places::isApplication), task);
  }

  private Optional<OtherFinding> finding(int looks) {
    List<Used> tasks = new ArrayList<>(working.notable());
    tasks.removeIf(used -> used.inside.isEmpty());
    long threads =
        Math.max(
            Math.round(most),
            tasks.stream().mapToLong(used -> used.threads.size()).max().orElse(0));
    if (threads < POOL_OF || evidence == 0) {
      return Optional.empty();
    }
    Optional<Used> place = tasks.stream().findFirst();
    Found found =
        new Found(Kind.POOLED_THREADS, place.flatMap(used -> used.inside))
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

  /** Whether a thread is a pool's, and the pool no scheduler: that needs threads to keep. */
  private static boolean isWorker(StackTrace stack) {
    boolean worker = false;
    for (Frame frame : stack.frames()) {
      if (frame.type().name().startsWith(SCHEDULER)) {
        return false;
      }
      worker |= frame.type().name().equals(WORKER);
    }
    return worker;
  }
}
