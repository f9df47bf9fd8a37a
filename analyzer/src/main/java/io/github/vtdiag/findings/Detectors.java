package io.github.vtdiag.findings;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventSelection;
import io.github.vtdiag.recording.EventSelection.Detail;
import io.github.vtdiag.recording.RecordingData;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** All detectors. They find unmounted waits and misuse in one recording. */
public final class Detectors {
  private static final List<Detector> ALL =
      Stream.concat(
              MisuseKind.DETECTORS.stream(),
              Stream.of(new Detector(Detector.NO_EVENTS, Waits::find)))
          .toList();

  /** The selection of all events that any detector needs. */
  public static final EventSelection EVENTS = Detectors::detail;

  private Detectors() {}

  private static Detail detail(ThreadEvent event, List<Frame> frames) {
    Detail most = Detail.NONE;
    for (Detector detector : ALL) {
      Detail asked = detector.events().detail(event, frames);
      most = asked.compareTo(most) > 0 ? asked : most;
    }
    return most;
  }

  /**
   * Runs all detectors.
   *
   * @param account the account of the carriers' time
   * @param owners finds the owner of a class
   * @param pins the pins, which detectors do not report again
   */
  public static List<Behavior> find(
      RecordingData data, Account account, Function<ClassRef, Owner> owners, List<Pin> pins) {
    DetectorInput input = new DetectorInput(data, account, owners, pins);
    ALL.forEach(input::run);
    return List.copyOf(input.found());
  }
}
