package io.github.vtdiag.usage;

import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Kind;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import io.github.vtdiag.recording.EventTable.Look;
import io.github.vtdiag.usage.Used.ByPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Virtual threads that their scheduler did not take. Whoever starts one learns of it; one that was
 * to go on never does, and nobody is told.
 */
final class RefusedThreads {
  private RefusedThreads() {}

  static List<OtherFinding> find(EventTable events, Places places) {
    ByPlace all = new ByPlace();
    Map<Used, Long> starts = new HashMap<>();
    Used[] usedOf = new Used[events.looks().size()];
    for (int number = 0; number < usedOf.length; number++) {
      Look look = events.looks().get(number);
      if (look.event() == ThreadEvent.SUBMIT_FAILED && events.count(number) > 0) {
        StackTrace stack = look.stack();
        Used used = all.at(places.application(stack), Places.outsideJdk(stack.frames()));
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

  private static OtherFinding found(Used used, long starts, Places places) {
    return new Found(Kind.SUBMIT_FAILED, used.inside)
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
