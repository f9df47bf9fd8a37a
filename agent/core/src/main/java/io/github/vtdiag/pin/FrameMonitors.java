package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassMonitors.Evidence;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The monitors that frames hold, by the lock map of the class, the line, or the method's flags. */
final class FrameMonitors {
  /**
   * The monitors that a frame's method holds at its bci, innermost first.
   *
   * @param unread whether there may be more, because no fitting bytes are known
   */
  record Holds(List<Hold> monitors, boolean unread) {
    static final Holds NOTHING = new Holds(List.of(), false);

    record Hold(MonitorRegion region, Confidence confidence) {}
  }

  private final Attributor.LockMapSource maps;
  private final Optional<Map<Frame, Holds>> known;

  /**
   * @param known the earlier results, by frame; empty if results must not be cached
   */
  FrameMonitors(Attributor.LockMapSource maps, Optional<Map<Frame, Holds>> known) {
    this.maps = maps;
    this.known = known;
  }

  /** Returns whether a frame can hold a monitor that its class's bytes show. */
  static boolean mayLock(Frame frame) {
    return !frame.isNative() && !neverLocks(frame);
  }

  /** Returns the monitors that a frame holds at its bci. */
  Holds of(Frame frame) {
    if (known.isEmpty()) {
      return read(frame);
    }
    Holds before = known.get().get(frame);
    if (before != null) {
      return before;
    }
    Holds holds = read(frame);
    known.get().put(frame, holds);
    return holds;
  }

  /**
   * Returns the monitors held during a wait at a {@code monitorenter}. The interpreter's bci is the
   * next instruction's, at which the block is held already.
   */
  Holds ofEntering(Frame frame) {
    if (frame.bci() == frame.monitorEnterBci()) {
      return of(frame);
    }
    return read(
        new Frame(
            frame.type(),
            frame.method(),
            frame.descriptor(),
            frame.modifiers(),
            frame.monitorEnterBci(),
            -1, // that instruction can be on the line before
            frame.kind()));
  }

  /** Returns what a frame locks that waits to enter it. */
  LockExpression entered(Frame frame) {
    if (frame.monitorEnterBci() == MonitorId.METHOD) {
      return synchronizedFlag(frame).stream()
          .map(hold -> hold.region().lock())
          .findFirst()
          .orElse(LockExpression.UNKNOWN);
    }
    return candidates(frame.type()).stream()
        .flatMap(type -> type.method(frame.method(), frame.descriptor()).stream())
        .flatMap(method -> method.entered(frame).stream())
        .map(MonitorRegion::lock)
        .findFirst()
        .orElse(LockExpression.UNKNOWN);
  }

  /** An answer that may be unknown. */
  enum Known {
    YES,
    NO,
    UNKNOWN
  }

  /** Returns whether a frame that waits for an {@code int[]} waits at a {@code monitorenter}. */
  Known enteringAt(Frame frame) {
    for (ClassMonitors candidate : candidates(frame.type())) {
      Optional<MethodMonitors> method = candidate.method(frame.method(), frame.descriptor());
      if (method.isEmpty() && candidate.evidence() == Evidence.LOADED_CLASS) {
        return Known.NO; // The lock map has all methods that enter monitors.
      }
      if (method.isPresent()
          && (method.get().fits(frame.bci(), frame.line())
              || ClassWaits.entersArray(method.get(), frame))) {
        return ClassWaits.entersArray(method.get(), frame)
            ? Known.YES
            : method.get().exact() ? Known.NO : Known.UNKNOWN;
      }
    }
    return Known.UNKNOWN;
  }

  /** Returns the class that the frame's current instruction initializes, if it is known. */
  Optional<String> initializes(Frame frame) {
    for (ClassMonitors candidate : candidates(frame.type())) {
      Optional<String> type =
          candidate
              .method(frame.method(), frame.descriptor())
              .flatMap(method -> method.callSite(frame.bci()))
              .filter(site -> frame.line() < 0 || site.line() == frame.line())
              .map(MethodMonitors.CallSite::initializes)
              .filter(name -> !name.isEmpty());
      if (type.isPresent()) {
        return type;
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a frame's current instruction may need a class that is not loaded, and enters
   * no monitor of its own. An unknown instruction may.
   */
  boolean mayLoadClass(Frame frame) {
    List<MethodMonitors> known =
        candidates(frame.type()).stream()
            .flatMap(type -> type.method(frame.method(), frame.descriptor()).stream())
            .toList();
    boolean entersItself = frame.isSynchronized() && frame.bci() <= 0;
    return !entersItself
        && (frame.isNative()
            ? frame.type().name().equals("java.lang.Class")
            : known.stream().noneMatch(method -> enters(method, frame)));
  }

  private static boolean enters(MethodMonitors method, Frame frame) {
    return frame.bci() >= 0
        ? method.entersAt(frame)
        : method.regions().stream()
            .anyMatch(
                region ->
                    region.kind() == MonitorRegion.Kind.BLOCK && region.coversLine(frame.line()));
  }

  private Holds read(Frame frame) {
    if (!mayLock(frame)) {
      return Holds.NOTHING;
    }
    List<ClassMonitors> candidates = candidates(frame.type());
    for (ClassMonitors candidate : candidates) {
      Optional<MethodMonitors> method = candidate.method(frame.method(), frame.descriptor());
      boolean loaded = candidate.evidence() == Evidence.LOADED_CLASS;
      if (method.isEmpty() && loaded) {
        // A lock map of the loaded class leaves out the methods that hold nothing.
        return new Holds(synchronizedFlag(frame), false);
      }
      if (method.isPresent() && method.get().fits(frame.bci(), frame.line())) {
        Confidence confidence =
            loaded ? Confidence.LOADED_BYTECODE : Confidence.CLASS_PATH_BYTECODE;
        return new Holds(
            method.get().heldAt(frame.bci()).stream()
                .map(region -> new Holds.Hold(region, confidence))
                .toList(),
            !method.get().exact());
      }
    }
    return guessedByLine(frame, candidates);
  }

  private static Holds guessedByLine(Frame frame, List<ClassMonitors> candidates) {
    List<Holds.Hold> held = new ArrayList<>();
    for (ClassMonitors candidate : candidates) {
      for (MethodMonitors method : candidate.methods()) {
        if (method.name().equals(frame.method())
            && method.descriptor().equals(frame.descriptor())) {
          for (MonitorRegion region : method.regions().reversed()) {
            if (region.kind() == MonitorRegion.Kind.BLOCK && region.coversLine(frame.line())) {
              held.add(new Holds.Hold(region, Confidence.LINE_ONLY));
            }
          }
        }
      }
      if (!held.isEmpty()) {
        break;
      }
    }
    held.addAll(synchronizedFlag(frame));
    return new Holds(held, true);
  }

  private static List<Holds.Hold> synchronizedFlag(Frame frame) {
    if (!frame.isSynchronized()) {
      return List.of();
    }
    boolean isStatic = Modifier.isStatic(frame.modifiers());
    LockExpression lock =
        isStatic
            ? new LockExpression(LockExpression.Kind.CLASS_LITERAL, frame.type().name(), "")
            : LockExpression.THIS;
    MonitorRegion region =
        new MonitorRegion(MonitorRegion.Kind.METHOD, lock, -1, -1, -1, List.of());
    return List.of(new Holds.Hold(region, Confidence.METHOD_FLAG));
  }

  /** Returns the maps of the frame's class; those of its own loader if there are any. */
  private List<ClassMonitors> candidates(ClassRef type) {
    List<ClassMonitors> all = maps.find(type);
    if (all.size() < 2) {
      return all;
    }
    List<ClassMonitors> sameLoader =
        all.stream()
            .filter(map -> map.evidence() == Evidence.LOADED_CLASS)
            .filter(map -> map.type().loader().equals(type.loader()))
            .toList();
    return sameLoader.isEmpty() ? all : sameLoader;
  }

  /**
   * Returns whether the bytes of a class are unobtainable. These are lambda proxies, method handle
   * forms and stubs of foreign functions, which the JDK spins without locks. The continuation is
   * another one, which the JVM lets no agent transform.
   */
  private static boolean neverLocks(Frame frame) {
    String name = frame.type().name();
    return name.contains("$$Lambda")
        || name.startsWith("java.lang.invoke.LambdaForm$")
        || name.equals("jdk.internal.foreign.abi.DowncallStub")
        || name.equals("jdk.internal.foreign.abi.UpcallStub")
        || name.equals("jdk.internal.vm.Continuation");
  }
}
