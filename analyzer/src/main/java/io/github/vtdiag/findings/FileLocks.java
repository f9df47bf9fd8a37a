package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.findings.UsageTally.ByPlace;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventTable;
import java.util.List;

/** Finds virtual threads that wait for a lock of a file, which blocks their carriers. */
final class FileLocks {
  private FileLocks() {}

  static List<Behavior> find(DetectorInput in) {
    EventTable events = in.data().events();
    ByPlace all = new ByPlace();
    for (int number = 0; number < events.looks().size(); number++) {
      EventTable.Look look = events.looks().get(number);
      StackTrace stack = look.stack();
      if (look.event() == ThreadEvent.NATIVE_SAMPLE
          && stack.frames().stream()
              .anyMatch(frame -> frame.is("sun.nio.ch.FileChannelImpl", "lock"))) {
        all.at(in.places().application(stack), Places.outsideJdk(stack.frames())).count +=
            events.count(number);
      }
    }
    return all.notable().stream()
        .map(
            used ->
                new FindingBuilder(MisuseKind.UNBOUNDED_FILE_LOCK, used.inside)
                    .at(used.site, in.places())
                    .seen(used.count, ThreadEvent.NATIVE_SAMPLE)
                    .limits(true)
                    .finding())
        .map(Behavior.class::cast)
        .toList();
  }
}
