package io.github.vtdiag.dump;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.CodeSites.Doing;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the monitors that a stack holds, by the lines of its frames and by who calls whom: dumps of
 * Java 21 to 24 name neither monitors nor bcis. The objects are unknown; only their names in the
 * source are known.
 */
final class MonitorsByLine {
  private final Function<String, Optional<byte[]>> classFiles;
  private final Map<String, Optional<Code>> known = new HashMap<>();
  private final Set<String> unread = new HashSet<>();

  private record Code(CodeSites sites, ClassMonitors monitors) {}

  /**
   * @param classFiles takes the name of a class, with dots
   */
  MonitorsByLine(Function<String, Optional<byte[]>> classFiles) {
    this.classFiles = classFiles;
  }

  /** Returns whether the class of some frame that may hold a monitor could not be read. */
  boolean missesSome() {
    return !unread.isEmpty();
  }

  /**
   * Returns the monitors that a stack holds, innermost first.
   *
   * @param enters whether its innermost frame waits to enter one
   */
  List<HeldLock> held(List<Frame> frames, boolean enters) {
    List<HeldLock> held = new ArrayList<>();
    for (int depth = 0; depth < frames.size(); depth++) {
      Frame frame = frames.get(depth);
      Optional<MonitorId> entered = enters && depth == 0 ? entering(frame) : Optional.empty();
      Optional<Frame> callee = depth == 0 ? Optional.empty() : Optional.of(frames.get(depth - 1));
      for (MonitorRegion region : regions(frame, callee, entered)) {
        held.add(new HeldLock(HeldLock.Kind.MONITOR, reference(frame, region.lock()), depth));
      }
    }
    return held;
  }

  /** Returns the lock that an innermost frame waits for, if it can be only one. */
  Optional<LockRef> entered(Frame frame) {
    return entering(frame)
        .flatMap(
            id ->
                code(frame)
                    .flatMap(code -> code.monitors().method(id.method(), id.descriptor()))
                    .flatMap(
                        method ->
                            method.regions().stream()
                                .filter(region -> region.enterBci() == id.enterBci())
                                .findFirst()))
        .map(region -> reference(frame, region.lock()));
  }

  /**
   * Returns the lock on which a stack waits whose innermost frames are those of {@code
   * Object.wait}.
   */
  LockRef waitedOn(List<Frame> frames) {
    for (int depth = 1; depth < frames.size(); depth++) {
      Frame frame = frames.get(depth);
      if (!frame.type().name().equals("java.lang.Object")) {
        List<MonitorRegion> held =
            regions(frame, Optional.of(frames.get(depth - 1)), Optional.empty());
        return held.size() == 1
            ? reference(frame, held.getFirst().lock())
            : LockRef.anyOf("java.lang.Object");
      }
    }
    return LockRef.anyOf("java.lang.Object");
  }

  /**
   * Returns the monitors that a frame holds, innermost first.
   *
   * @param callee the frame that it called
   * @param entered what it waits to enter instead
   */
  private List<MonitorRegion> regions(
      Frame frame, Optional<Frame> callee, Optional<MonitorId> entered) {
    Optional<Code> code = frame.isNative() || frame.line() < 0 ? Optional.empty() : code(frame);
    if (code.isEmpty()) {
      return List.of();
    }
    ClassMonitors monitors = code.get().monitors();
    if (entered.isPresent()) {
      MonitorId id = entered.get();
      return id.isMethod()
          ? List.of()
          : monitors.method(id.method(), id.descriptor()).stream()
              .flatMap(method -> method.heldAt(id.enterBci()).stream())
              .filter(region -> region.enterBci() != id.enterBci())
              .toList();
    }
    Doing doing =
        callee.isPresent() ? new Doing.Calling(callee.get().method()) : new Doing.Something();
    return code.get().sites().find(element(frame), doing).stream()
        .filter(found -> found.bci() >= 0)
        .flatMap(
            found ->
                monitors.method(found.method(), found.descriptor()).stream()
                    .flatMap(method -> method.heldAt(found.bci()).stream()))
        .toList();
  }

  private Optional<MonitorId> entering(Frame frame) {
    if (frame.isNative() || frame.line() < 0) {
      return Optional.empty();
    }
    List<MonitorId> entered =
        code(frame).map(code -> code.sites().entered(element(frame))).orElse(List.of());
    return entered.size() == 1 ? Optional.of(entered.getFirst()) : Optional.empty();
  }

  private static StackTraceElement element(Frame frame) {
    return new StackTraceElement(frame.type().name(), frame.method(), null, frame.line());
  }

  private Optional<Code> code(Frame frame) {
    String name = frame.type().name();
    Optional<Code> code = known.get(name);
    if (code == null) {
      code = read(name);
      known.put(name, code);
      if (code.isEmpty() && !frame.type().isJdk()) {
        unread.add(name);
      }
    }
    return code;
  }

  private Optional<Code> read(String name) {
    try {
      return classFiles
          .apply(name)
          .map(
              bytes -> {
                ClassRef type = new ClassRef(name, "");
                return new Code(
                    CodeSites.read(bytes, type),
                    LockMaps.read(bytes, type, "", ClassMonitors.Evidence.CLASS_PATH));
              });
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Names a lock so that two are the same only if the source means the same. */
  private static LockRef reference(Frame frame, LockExpression lock) {
    String type = frame.type().name();
    return switch (lock.kind()) {
      case THIS -> LockRef.anyOf(type);
      case CLASS_LITERAL -> LockRef.anyOf(lock.owner() + ".class");
      case INSTANCE_FIELD -> LockRef.ofField(type, lock.name());
      case OTHER_FIELD -> LockRef.ofField(lock.owner(), lock.name());
      case STATIC_FIELD -> LockRef.ofStaticField(lock.owner(), lock.name());
      case PARAMETER, LOCAL, CALL_RESULT, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN ->
          LockRef.anyOf(lock.text() + " in " + frame.qualifiedMethod());
    };
  }
}
