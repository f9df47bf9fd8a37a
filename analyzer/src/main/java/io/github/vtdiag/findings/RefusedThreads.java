package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.findings.UsageTally.ByPlace;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.EventTable.Look;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds virtual threads that their scheduler rejected. The caller of start gets an exception. A
 * thread that was to continue never does, and no other thread learns of it.
 */
final class RefusedThreads {
  private RefusedThreads() {}

  static List<Behavior> find(DetectorInput in) {
    return find(in.data().events(), in.places());
  }

  static List<Behavior> find(EventTable events, Places places) {
    ByPlace all = new ByPlace();
    Map<UsageTally, Long> starts = new HashMap<>();
    UsageTally[] usedOf = new UsageTally[events.looks().size()];
    for (int number = 0; number < usedOf.length; number++) {
      Look look = events.looks().get(number);
      if (look.event() == ThreadEvent.SUBMIT_FAILED && events.count(number) > 0) {
        StackTrace stack = look.stack();
        UsageTally used = all.at(places.application(stack), Places.outsideJdk(stack.frames()));
        used.subjects.merge(look.text(), events.count(number), Long::sum);
        starts.merge(used, isStart(stack) ? events.count(number) : 0L, Long::sum);
        usedOf[number] = used;
      }
    }
    for (int row = 0; row < events.size(); row++) {
      if (usedOf[events.look(row)] != null) {
        usedOf[events.look(row)].add(1, events.number(row));
      }
    }
    return all.notable().stream().map(used -> found(used, starts.get(used), places)).toList();
  }

  private static Behavior found(UsageTally used, long starts, Places places) {
    return new FindingBuilder(MisuseKind.SUBMIT_FAILED, used.inside)
        .at(used.site, places)
        .threads(used.threads.size(), false)
        .seen(used.count, ThreadEvent.SUBMIT_FAILED)
        .detail("notStarted", starts)
        .detail("notResumed", used.count - starts)
        .detail("reason", used.subject())
        .limits(true)
        .finding();
  }

  private static boolean isStart(StackTrace stack) {
    return stack.frames().stream().anyMatch(frame -> frame.is("java.lang.VirtualThread", "start"));
  }
}
