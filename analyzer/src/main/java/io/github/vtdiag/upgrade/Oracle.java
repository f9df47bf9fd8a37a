package io.github.vtdiag.upgrade;

import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.upgrade.CallPaths.Step;
import io.github.vtdiag.upgrade.LibraryCode.Call;
import io.github.vtdiag.upgrade.LibraryCode.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Decides from the classes of a version whether the recorded paths still take monitors there.
 *
 * <p>A recorded stack is followed from each of the library's frames to the next. A monitor counts
 * if it is held around the call which leads on, in the recorded method or in those that have come
 * between. Where the path cannot be followed, every monitor of the method that is held around any
 * call counts.
 */
public final class Oracle {
  private static final Pattern LAMBDA = Pattern.compile("\\$\\d+$");

  private final LibraryOnStacks on;
  private final Optional<LibraryClasses> running;

  /** The monitors that the version that ran takes on these paths, as far as its classes tell. */
  private final Optional<Reading> ran;

  /**
   * Creates an oracle for one library.
   *
   * @param running the classes that ran, to tell new monitors from old ones; empty if they are not
   *     at hand
   */
  public Oracle(LibraryOnStacks on, Optional<LibraryClasses> running) {
    this.on = on;
    this.running = running;
    this.ran = running.map(classes -> new Reading(new LibraryCode(classes)));
    ran.ifPresent(Reading::follow);
  }

  /** Checks another version on these paths. */
  public VersionCheck check(String version, Release candidate) {
    Reading reading = new Reading(new LibraryCode(candidate.classes()));
    reading.follow();
    Set<String> added = new LinkedHashSet<>(reading.others);
    ran.ifPresent(before -> added.removeAll(before.others));
    // Without the classes that ran, a monitor of another frame cannot be known to be new.
    if (ran.isEmpty()) {
      added.clear();
    }
    on.held().forEach(held -> added.remove(held.name()));
    Map<Site, MonitorFate> fates = new LinkedHashMap<>();
    on.held().forEach(held -> fates.put(held, reading.fate(held)));
    return new VersionCheck(candidate.library(), version, fates, List.copyOf(added));
  }

  /** A reading of one version's classes along the recorded stacks. */
  private final class Reading {
    private final LibraryCode code;
    private final CallPaths ways;

    /** By method of the recorded monitors, whether the stacks show that it still holds one. */
    private final Map<Method, Boolean> held = new LinkedHashMap<>();

    /** The new places of monitors whose methods are not there any more, or hold none. */
    private final Map<String, String> moved = new LinkedHashMap<>();

    /** The methods that take monitors on the paths and are not among the recorded ones. */
    private final Set<String> others = new LinkedHashSet<>();

    private final Set<String> holders = new LinkedHashSet<>();

    Reading(LibraryCode code) {
      this.code = code;
      this.ways = new CallPaths(code);
      on.held().forEach(each -> holders.add(key(each)));
    }

    private static String key(Site site) {
      return site.className() + "." + site.method() + site.descriptor();
    }

    private static String key(Frame frame) {
      return frame.qualifiedMethod() + frame.descriptor();
    }

    void follow() {
      for (StackTrace stack : on.stacks()) {
        for (int i = 0; i < stack.frames().size(); i++) {
          Frame frame = stack.frames().get(i);
          if (isOfLibrary(frame)) {
            Optional<Method> method = locate(frame);
            if (method.isPresent()) {
              follow(stack.frames(), i, method.get());
            }
          }
        }
      }
    }

    private void follow(List<Frame> frames, int at, Method method) {
      List<Frame> skipped = new ArrayList<>();
      Optional<List<Step>> way = Optional.empty();
      for (int next = at - 1; next >= 0 && way.isEmpty(); next--) {
        Frame inner = frames.get(next);
        if (isOfLibrary(inner)) {
          way = locate(inner).flatMap(target -> ways.find(method, calls(target)));
          if (way.isEmpty()) {
            skipped.add(inner);
          }
        } else if (isOfLibrary(frames.get(next + 1))) {
          // The library's classes name other code only where they call it themselves.
          way = ways.find(method, call -> isOutside(call, inner));
        }
      }
      if (way.isPresent()) {
        note(frames.get(at), method, way.get(), skipped);
      }
    }

    private void note(Frame frame, Method method, List<Step> way, List<Frame> skipped) {
      boolean own = way.getFirst().holds();
      boolean isHolder = holders.contains(key(frame));
      held.merge(method, own, Boolean::logicalOr);
      if (own && !isHolder) {
        others.add(method.qualified());
      }
      for (Step step : way.subList(1, way.size())) {
        if (step.holds()) {
          String where = step.method().qualified();
          skipped.stream()
              .filter(gone -> holders.contains(key(gone)))
              .forEach(gone -> moved.putIfAbsent(key(gone), where));
          if (isHolder && !own) {
            moved.putIfAbsent(key(frame), where);
          } else if (skipped.stream().noneMatch(gone -> holders.contains(key(gone)))) {
            others.add(where);
          }
        }
      }
    }

    MonitorFate fate(Site site) {
      if (code.isUnread(site.className())) {
        return new MonitorFate.Unread();
      }
      Optional<Method> found = locate(site.className(), site.method(), site.descriptor());
      String whereNow = moved.get(key(site));
      if (found.isEmpty()) {
        return whereNow == null ? new MonitorFate.Gone() : new MonitorFate.Taken(whereNow);
      }
      Method method = found.get();
      String where = method.qualified().equals(site.name()) ? "" : method.qualified();
      if (site.kind() == PinKind.OBJECT_WAIT) {
        return waits(method, where);
      }
      Boolean onTheWay = held.get(method);
      if (onTheWay == null ? method.holdsAroundAny() : onTheWay) {
        return new MonitorFate.Taken(where);
      }
      if (whereNow != null) {
        return new MonitorFate.Taken(whereNow);
      }
      if (onTheWay == null) {
        Optional<Method> into = movedInto(method);
        if (into.isPresent()) {
          return new MonitorFate.Taken(into.get().qualified());
        }
      }
      return ways.locks(method) ? new MonitorFate.Locked() : new MonitorFate.Free();
    }

    private MonitorFate waits(Method method, String where) {
      return ways.find(
                  method,
                  call -> call.owner().equals("java.lang.Object") && call.name().equals("wait"))
              .filter(Reading::isOfOneClass)
              .isPresent()
          ? new MonitorFate.Taken(where)
          : ways.locks(method) ? new MonitorFate.Locked() : new MonitorFate.Free();
    }

    private static boolean isOfOneClass(List<Step> way) {
      return way.stream().map(step -> step.method().owner()).distinct().count() == 1;
    }

    /**
     * Finds a method of the same class that it calls and that takes a monitor only in this version.
     */
    private Optional<Method> movedInto(Method method) {
      return method.calls().stream()
          .filter(call -> call.owner().equals(method.owner()))
          .flatMap(call -> code.method(call.owner(), call.name(), call.descriptor()).stream())
          .filter(Method::holdsAroundAny)
          .filter(callee -> !heldBefore(callee))
          .findFirst();
    }

    private boolean heldBefore(Method callee) {
      return running.isEmpty()
          ? !holders.contains(callee.qualified() + callee.descriptor())
          : ran.flatMap(
                  before -> before.code.method(callee.owner(), callee.name(), callee.descriptor()))
              .filter(Method::holdsAroundAny)
              .isPresent();
    }

    private Optional<Method> locate(Frame frame) {
      return locate(frame.type().name(), frame.method(), frame.descriptor());
    }

    /**
     * Finds the method of that name: best with the same parameters, else with as many, else the
     * only one.
     */
    private Optional<Method> locate(String className, String name, String descriptor) {
      Optional<Method> same = code.method(className, name, descriptor);
      if (same.isPresent()) {
        return same;
      }
      List<Method> named = named(code.methods(className), m -> m.name().equals(name));
      if (named.isEmpty()) {
        String base = LAMBDA.matcher(name).replaceFirst("");
        named =
            base.equals(name)
                ? List.of()
                : named(
                    code.methods(className),
                    m ->
                        LAMBDA.matcher(m.name()).replaceFirst("").equals(base)
                            && m.descriptor().equals(descriptor));
      }
      int arity = LibraryCode.arity(descriptor);
      List<Method> alike = named(named, m -> LibraryCode.arity(m.descriptor()) == arity);
      if (alike.isEmpty()) {
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
      }
      return alike.stream().filter(Method::holdsAroundAny).findFirst().or(() -> first(alike));
    }

    private static Optional<Method> first(List<Method> methods) {
      return methods.stream().findFirst();
    }

    private static List<Method> named(List<Method> methods, Predicate<Method> which) {
      return methods.stream().filter(which).toList();
    }

    /**
     * Returns whether a frame is of the library. What ran and is none of its classes belongs to
     * another library, even if a newer jar of this one has it packed in.
     */
    private boolean isOfLibrary(Frame frame) {
      String name = frame.type().name();
      return on.held().stream().anyMatch(each -> each.className().equals(name))
          || running.map(LibraryClasses::names).orElseGet(code::names).contains(name);
    }

    /** Returns a test for calls that may run a method of the library. */
    private Predicate<Call> calls(Method target) {
      int arity = LibraryCode.arity(target.descriptor());
      return call ->
          call.name().equals(target.name())
              && LibraryCode.arity(call.descriptor()) == arity
              && (!code.has(call.owner())
                  || code.isA(target.owner(), Set.of(call.owner()))
                  || code.isA(call.owner(), Set.of(target.owner())));
    }

    /** Returns whether a call is one of that name to code outside of the library. */
    private boolean isOutside(Call call, Frame frame) {
      return call.name().equals(frame.method())
          && LibraryCode.arity(call.descriptor()) == LibraryCode.arity(frame.descriptor())
          && (!code.has(call.owner()) || call.owner().equals(frame.type().name()));
    }
  }
}
