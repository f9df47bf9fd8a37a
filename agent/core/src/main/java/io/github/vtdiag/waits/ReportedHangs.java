package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The hangs that were reported and had not ended. They explain stalls, which are not reported. */
public final class ReportedHangs {
  /** An object in the evidence: its class without the package, and its identity hash. */
  private static final Pattern OBJECT = Pattern.compile("[\\w$]+@[0-9a-f]+");

  private final Set<String> methods = new HashSet<>();

  /** The objects that the evidence on deadlocks names. */
  private final Set<String> objects = new HashSet<>();

  /** The classes of these objects, and those of the methods that hold a deadlock's locks. */
  private final Set<String> lockClasses = new HashSet<>();

  /**
   * Adds a hang.
   *
   * @param deadlock whether it cannot end by itself; then nothing releases the locks that it names
   * @param lines the verdict and the evidence
   */
  public void add(boolean deadlock, List<HangPlace> places, List<String> lines) {
    for (HangPlace place : places) {
      methods.add(place.method());
      if (deadlock && !place.caller().isEmpty()) {
        methods.add(place.caller());
      }
      if (deadlock) {
        Stream.of(place.method(), place.holder())
            .filter(method -> !method.isEmpty())
            .map(ReportedHangs::classOf)
            .forEach(lockClasses::add);
      }
    }
    if (deadlock) {
      lines.stream()
          .flatMap(line -> OBJECT.matcher(line).results())
          .map(MatchResult::group)
          .forEach(
              object -> {
                objects.add(object);
                lockClasses.add(object.substring(0, object.indexOf('@')));
              });
    }
  }

  /** Returns whether these threads are in a hang, or wait for a lock of a deadlock. */
  public boolean explain(Stall stall) {
    String lock = stall.lock();
    return methods.contains(stall.method())
        || objects.contains(simple(lock))
        || (lock.isEmpty() && stall.awaited().kind() == Awaited.Kind.MONITOR && mayBeBehind(stall));
  }

  /**
   * Returns whether a monitor that is not known as an object may be one of a deadlock: it is
   * entered in a class whose object is in the deadlock, or whose method holds a lock of it. The
   * program hangs in any case, and what else holds up the threads is told once that has gone.
   */
  private boolean mayBeBehind(Stall stall) {
    List<Frame> frames = stall.stack().frames();
    if (frames.isEmpty()) {
      return false;
    }
    String entered = frames.getFirst().type().name();
    return lockClasses.contains(entered) || lockClasses.contains(simple(entered));
  }

  private static String classOf(String method) {
    return method.substring(0, Math.max(0, method.lastIndexOf('.')));
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
