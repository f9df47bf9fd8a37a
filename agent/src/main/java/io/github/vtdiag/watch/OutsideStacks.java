package io.github.vtdiag.watch;

import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.locksite.CodeSites.Doing;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JavaRelease;
import io.github.vtdiag.model.LoaderFrames;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.KeptCarrier.Kind;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Stacks that another thread took, which have names and lines, completed with the descriptors and
 * bcis that the lock maps need. These come from the class's line table, and from the name of the
 * method in the frame above.
 */
public final class OutsideStacks {
  /** The most frames; deeper stacks are cut, as JFR would. */
  private static final int MAX_DEPTH = 512;

  /** The number of stacks that are kept; waits at one place have one stack. */
  private static final int KNOWN = 500;

  /** The source of classes. */
  public interface Classes {
    /** Returns the loaded classes of these names whose class files can be read. */
    List<CodeSites> code(Set<String> names);

    /** Returns whether there is a class of that name which is not initialized yet. */
    boolean isUninitialized(String name);
  }

  private record Key(List<StackTraceElement> elements, Kind kind) {}

  private final Classes loaded;
  private final Map<Key, StackTrace> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, StackTrace> eldest) {
          return size() > KNOWN;
        }
      };

  public OutsideStacks(Classes loaded) {
    this.loaded = loaded;
  }

  /** Returns the stack of a thread that waits in that way. */
  StackTrace of(List<StackTraceElement> elements, Kind kind) {
    boolean truncated = elements.size() > MAX_DEPTH;
    List<StackTraceElement> kept = truncated ? elements.subList(0, MAX_DEPTH) : elements;
    return known.computeIfAbsent(
        new Key(kept, kind), key -> new StackTrace(frames(kept, kind), truncated));
  }

  private List<Frame> frames(List<StackTraceElement> elements, Kind kind) {
    Set<String> names = new HashSet<>();
    elements.forEach(element -> names.add(element.getClassName()));
    Map<String, List<CodeSites>> classes = new HashMap<>();
    for (CodeSites sites : loaded.code(names)) {
      List<CodeSites> same =
          classes.computeIfAbsent(sites.type().name(), name -> new ArrayList<>());
      // If there are several classes of a name, the one that the stack names comes first.
      same.add(isOf(sites.type().loader(), elements) ? 0 : same.size(), sites);
    }
    List<Frame> frames = new ArrayList<>(elements.size() + 1);
    for (int i = 0; i < elements.size(); i++) {
      Doing doing = i > 0 ? new Doing.Calling(elements.get(i - 1).getMethodName()) : doing(kind);
      frames.add(frame(elements.get(i), doing, classes));
    }
    if (pinsBeyondItsFrames(kind, Runtime.version().feature())) {
      calledBack(elements, frames, classes)
          .ifPresent(caller -> frames.addAll(caller, List.of(FOREIGN_RETURN, FOREIGN_CALL)));
    }
    if (kind == Kind.NATIVE && !frames.isEmpty() && !frames.getFirst().isNative()) {
      frames.addFirst(FOREIGN_CALL);
    }
    return frames;
  }

  /**
   * Returns whether a thread with this frame on top can be in native code: in a native method, or
   * in a foreign function that the frame calls. The JDK's public classes call none; with one of
   * them on top the thread has returned from the native code since it was seen there.
   */
  static boolean mayBeInNative(StackTraceElement top) {
    String type = top.getClassName();
    return top.isNativeMethod()
        || !type.startsWith("java.")
        || type.startsWith("java.lang.invoke.")
        || type.startsWith("java.lang.foreign.");
  }

  /** Returns whether a wait of that kind pins only because of what no frame need show. */
  static boolean pinsBeyondItsFrames(Kind kind, int jdk) {
    return switch (kind) {
      case PARK, OBJECT_WAIT, MONITOR_ENTRY -> jdk >= JavaRelease.UNPINNED_MONITORS;
      case CLASS_INITIALIZATION -> jdk >= JavaRelease.UNPINNED_INITIALIZATION;
      case NATIVE -> false;
    };
  }

  /** The frame on top of the caller of a foreign function, which cannot be seen from outside. */
  private static final Frame FOREIGN_CALL =
      new Frame(
          new ClassRef("jdk.internal.foreign.abi.DowncallStub", ""),
          "invoke",
          "",
          Modifier.STATIC,
          -1,
          -1,
          Frame.Kind.UNKNOWN);

  /** The frame below code that a foreign function calls back, which cannot be seen from outside. */
  private static final Frame FOREIGN_RETURN =
      new Frame(
          new ClassRef("jdk.internal.foreign.abi.UpcallStub", ""),
          "invoke",
          "",
          Modifier.STATIC,
          -1,
          -1,
          Frame.Kind.UNKNOWN);

  /**
   * Returns the depth of the frame whose foreign function called back. No frame shows that, but
   * something pins the thread and no visible frame does. The frame calls a method handle, and the
   * next frame is of another method.
   */
  private static OptionalInt calledBack(
      List<StackTraceElement> elements, List<Frame> frames, Map<String, List<CodeSites>> classes) {
    for (int i = 1; i < frames.size(); i++) {
      boolean isContinuation = frames.get(i).type().name().equals("jdk.internal.vm.Continuation");
      if (frames.get(i).isClassInitializer()
          || (frames.get(i).isNative() && !isContinuation)
          || LoaderFrames.isCalledByJvm(frames, i - 1)) {
        return OptionalInt.empty();
      }
    }
    for (int i = 1; i < elements.size(); i++) {
      StackTraceElement caller = elements.get(i);
      String callee = elements.get(i - 1).getMethodName();
      if (classes.getOrDefault(caller.getClassName(), List.of()).stream()
          .anyMatch(sites -> sites.callsHandle(caller, callee))) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean isOf(String loader, List<StackTraceElement> elements) {
    return elements.stream().anyMatch(element -> loader.equals(element.getClassLoaderName()));
  }

  private Doing doing(Kind kind) {
    return switch (kind) {
      case MONITOR_ENTRY -> new Doing.Entering();
      case CLASS_INITIALIZATION -> new Doing.Initializing(loaded::isUninitialized);
      case PARK, OBJECT_WAIT, NATIVE -> new Doing.Something();
    };
  }

  private static Frame frame(
      StackTraceElement element, Doing doing, Map<String, List<CodeSites>> classes) {
    for (CodeSites sites : classes.getOrDefault(element.getClassName(), List.of())) {
      Optional<Frame> frame = sites.find(element, doing);
      if (frame.isPresent()) {
        return frame.get().withSource(element.getFileName());
      }
    }
    String loader = element.getClassLoaderName();
    return new Frame(
        new ClassRef(element.getClassName(), loader == null ? "" : loader)
            .withSource(element.getFileName()),
        element.getMethodName(),
        "",
        element.isNativeMethod() ? Modifier.NATIVE : 0,
        -1,
        Math.max(-1, element.getLineNumber()),
        element.isNativeMethod() ? Frame.Kind.NATIVE : Frame.Kind.UNKNOWN);
  }

  /** Returns the class that the innermost frame's instruction initializes. */
  Optional<String> initializes(StackTrace stack) {
    if (stack.isAbsent()) {
      return Optional.empty();
    }
    Frame top = stack.frames().getFirst();
    return loaded.code(Set.of(top.type().name())).stream()
        .filter(sites -> sites.type().equals(top.type()))
        .findFirst()
        .flatMap(sites -> sites.initializes(top));
  }
}
