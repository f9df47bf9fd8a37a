package io.github.vtdiag.findings;

import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.pin.SeenHang;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The stacks of threads that were in a hang, as the agent saw it.
 *
 * @param ownerless those that wait for a lock whose owner has ended
 * @param deadlocked those of a deadlock in which the recording ends
 * @param endsInDeadlock whether it ends in one
 */
public record HangStacks(Set<Integer> ownerless, Set<Integer> deadlocked, boolean endsInDeadlock) {

  static HangStacks of(RecordingData data) {
    return new HangStacks(
        stacks(data, hang -> hang.kind().is(DiagnosisKind.NEVER_RELEASED)),
        stacks(data, HangStacks::isLastingDeadlock),
        data.facts().endsIn(DiagnosisKind.LOCK_CYCLE));
  }

  /** Returns whether a thread with that stack is in a deadlock in which the recording ends. */
  public static boolean isInDeadlock(RecordingFacts facts, StackTrace stack) {
    return isIn(methods(facts, HangStacks::isLastingDeadlock), stack);
  }

  private static boolean isLastingDeadlock(SeenHang hang) {
    return hang.isOngoing() && hang.kind().is(DiagnosisKind.LOCK_CYCLE);
  }

  private static Set<String> methods(RecordingFacts facts, Predicate<SeenHang> which) {
    return facts.hangs().stream()
        .filter(which)
        .flatMap(hang -> hang.places().stream())
        .map(HangPlace::method)
        .collect(Collectors.toSet());
  }

  private static Set<Integer> stacks(RecordingData data, Predicate<SeenHang> which) {
    Set<String> methods = methods(data.facts(), which);
    return methods.isEmpty()
        ? Set.of()
        : data.waits().stacks().entrySet().stream()
            .filter(stack -> isIn(methods, stack.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
  }

  private static boolean isIn(Set<String> methods, StackTrace stack) {
    return WrittenFrames.outsideJdk(stack.frames())
        .findFirst()
        .map(Frame::qualifiedMethod)
        .filter(methods::contains)
        .isPresent();
  }
}
