package io.github.vtdiag.analysis;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The kinds of pins, by what holds the carrier. The kind of a {@link Site} is one of them. */
public enum PinKind implements FindingKind {
  SYNCHRONIZED_METHOD(
      Holds.MONITOR,
      "waits inside a synchronized method",
      "Replace the monitor with a ReentrantLock, take a version of the library without it, or wait"
          + " outside",
      "what-is-recommended-and-when"),
  SYNCHRONIZED_BLOCK(
      Holds.MONITOR,
      "waits inside a synchronized block",
      "Replace the monitor with a ReentrantLock, take a version of the library without it, or wait"
          + " outside",
      "what-is-recommended-and-when"),
  NATIVE_FRAME(
      Holds.NO_MONITOR,
      "waits in native code, or in Java that native code called",
      "Fetch what the native code needs before the call, or call it on platform threads",
      "change-the-pattern"),
  CLASS_INITIALIZER(
      Holds.NO_MONITOR,
      "waits in a class initializer",
      "Move the slow work out of it: to start-up, or to a lazy getter",
      "change-the-pattern"),
  AWAITED_INITIALIZATION(
      Holds.NO_MONITOR,
      "waits until another thread has initialized a class",
      "Keep waits out of the initializer, or initialize the class at start-up",
      "change-the-pattern"),
  CLASS_LOADING(
      Holds.NO_MONITOR,
      "waits while the JVM loads a class for it",
      "Load the class at start-up, on a platform thread",
      "change-the-pattern"),
  MONITOR_ENTRY(
      Holds.ENTERED_MONITOR,
      "waits to enter a monitor",
      "Replace the monitor with a ReentrantLock, take a version of the library without it, or hold"
          + " it for less time",
      "rewrite"),
  OBJECT_WAIT(
      Holds.OBJECT_WAIT,
      "waits in Object.wait",
      "Wait on a Condition, or for a CompletableFuture",
      "change-the-pattern"),
  HIDDEN_VM_FRAME(
      Holds.UNKNOWN,
      "waits where the JVM does not let it unmount",
      "Look up the reason that the report quotes from JFR",
      "keep"),
  UNEXPLAINED(
      Holds.UNKNOWN,
      "waits while pinned, for an unknown reason",
      "Record again with what the report asks for, or name the jars that it asks for",
      "keep");

  /** The sort of thing that holds the carrier. */
  private enum Holds {
    MONITOR,
    ENTERED_MONITOR,
    OBJECT_WAIT,
    NO_MONITOR,
    UNKNOWN
  }

  /** The first word of the identity of a monitor of the JDK that stands for others of its class. */
  private static final String ONE_OF_MANY = "MONITOR";

  private final Holds holds;
  private final String title;
  private final String advice;
  private final String section;

  PinKind(Holds holds, String title, String advice, String section) {
    this.holds = holds;
    this.title = title;
    this.advice = advice;
    this.section = section;
  }

  /** Returns the kind of a cause. */
  static PinKind of(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held ->
          switch (held.site().region().kind()) {
            case METHOD -> SYNCHRONIZED_METHOD;
            case BLOCK -> SYNCHRONIZED_BLOCK;
          };
      case NativeFrame frame -> NATIVE_FRAME;
      case PinCause.ClassInitializer frame -> CLASS_INITIALIZER;
      case PinCause.AwaitedInitialization awaited -> AWAITED_INITIALIZATION;
      case PinCause.ClassLoading loading -> CLASS_LOADING;
      case PinCause.MonitorEntry entry -> MONITOR_ENTRY;
      case PinCause.ObjectWait wait -> OBJECT_WAIT;
      case PinCause.HiddenVmFrame hidden -> HIDDEN_VM_FRAME;
      case PinCause.Unexplained unexplained -> UNEXPLAINED;
    };
  }

  /**
   * Returns the title, which says what the virtual thread does: {@code waits in a class
   * initializer}.
   */
  @Override
  public String title() {
    return title;
  }

  /**
   * Returns the title of the kind of a pin that is known by its identity alone; empty if that is of
   * a form of another version.
   */
  public static String title(Identity identity) {
    String kind = identity.kin().split(" ", 2)[0];
    return kind.equals(ONE_OF_MANY)
        ? "waits inside a monitor"
        : Stream.of(values())
            .filter(each -> each.name().equals(kind))
            .map(PinKind::title)
            .findFirst()
            .orElse("");
  }

  @Override
  public String page() {
    return "docs/advice.md#" + section;
  }

  /**
   * Returns what holds the carriers, in a clause: {@code class loading in a.B.c, called from
   * a.D.e}.
   */
  public String culprit(Pin pin) {
    String called =
        pin.caller().map(caller -> ", called from " + caller.frame().qualifiedMethod()).orElse("");
    String name = pin.site().name();
    return switch (this) {
      case SYNCHRONIZED_METHOD, SYNCHRONIZED_BLOCK, MONITOR_ENTRY ->
          "the monitor of " + name + called;
      case OBJECT_WAIT -> "Object.wait in " + name + called;
      case NATIVE_FRAME ->
          (pin.cause() instanceof NativeFrame call && call.kind() == NativeFrame.Kind.FFM
                  ? "native code called from "
                  : "the native method ")
              + name
              + called;
      case CLASS_INITIALIZER -> "the class initializer of " + pin.site().className() + called;
      case AWAITED_INITIALIZATION -> "the class initializer of " + pin.site().className();
      case CLASS_LOADING -> "class loading in " + name + called;
      case HIDDEN_VM_FRAME, UNEXPLAINED -> pin.cause().text();
    };
  }

  /**
   * Returns the words that identify a pin in every run.
   *
   * @param at where it is, by names that are stable; empty if the cause has no class
   */
  String identity(Site site, PinCause cause, String at) {
    return switch (this) {
      case SYNCHRONIZED_METHOD, SYNCHRONIZED_BLOCK ->
          isOneOfMany(site)
              ? Identities.words(ONE_OF_MANY, StableNames.type(site.className()))
              : Identities.words(name(), at, lock(cause));
      case MONITOR_ENTRY ->
          isOneOfMany(site)
              ? Identities.words(name(), StableNames.type(site.className()))
              : Identities.words(name(), at, of(site.detail()));
      case OBJECT_WAIT -> Identities.words(name(), at, of(site.detail()));
      case HIDDEN_VM_FRAME -> Identities.words(name(), site.detail());
      case NATIVE_FRAME,
          CLASS_INITIALIZER,
          AWAITED_INITIALIZATION,
          CLASS_LOADING,
          // The reason why a pin is unexplained depends on what could be read, not on the program.
          UNEXPLAINED ->
          Identities.words(name(), at);
    };
  }

  /**
   * Returns the number of the pin's site among those of its class that share its name; empty if it
   * is unknown.
   */
  OptionalInt number(Pin pin, SiteNumbers numbers) {
    return switch (this) {
      case SYNCHRONIZED_METHOD, SYNCHRONIZED_BLOCK ->
          pin.cause() instanceof PinCause.HeldMonitor held
              ? numbers.ofMonitor(pin, held.site().region().kind(), words(held))
              : OptionalInt.empty();
      case MONITOR_ENTRY -> numbers.ofMonitor(pin, null, "");
      case OBJECT_WAIT, CLASS_LOADING ->
          pin.frame().map(numbers::ofMethod).orElse(OptionalInt.empty());
      // A native method has no code, so it is in no lock map.
      case NATIVE_FRAME ->
          StableNames.method(pin.site().method()).equals(pin.site().method())
              ? OptionalInt.of(1)
              : OptionalInt.empty();
      case CLASS_INITIALIZER, AWAITED_INITIALIZATION, HIDDEN_VM_FRAME -> OptionalInt.of(1);
      case UNEXPLAINED -> OptionalInt.empty();
    };
  }

  /**
   * Returns whether the site is a JDK monitor that stands for others of its class. Which one does
   * depends on their cost, so its method is no part of the identity.
   */
  private static boolean isOneOfMany(Site site) {
    return !site.caller().isEmpty() && new ClassRef(site.className(), "").isJdk();
  }

  private static String of(String className) {
    return className.isEmpty() ? "" : "of " + StableNames.type(className);
  }

  /** Returns the lock without the names of variables, which only debug information has. */
  private static String lock(PinCause cause) {
    if (!(cause instanceof PinCause.HeldMonitor held)) {
      return "";
    }
    return words(held);
  }

  private static String words(PinCause.HeldMonitor held) {
    return words(held.site().region().lock());
  }

  static String words(LockExpression lock) {
    return switch (lock.kind()) {
      case THIS, CLASS_LITERAL, INSTANCE_FIELD, OTHER_FIELD, STATIC_FIELD, CALL_RESULT ->
          "on "
              + new LockExpression(
                      lock.kind(), StableNames.type(lock.owner()), StableNames.method(lock.name()))
                  .text();
      case PARAMETER, LOCAL, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN -> "on " + lock.kind();
    };
  }

  /** Returns the general advice for this kind, which knows nothing of the place. */
  public String advice() {
    return advice;
  }

  /** Returns whether the thread is inside a monitor. */
  public boolean holdsMonitor() {
    return holds == Holds.MONITOR;
  }

  /**
   * Returns whether the site is where a monitor is entered: by the pinned thread, or by another.
   */
  public boolean isAtMonitor() {
    return holds == Holds.MONITOR || holds == Holds.ENTERED_MONITOR;
  }

  /** Returns whether this kind of pin also exists since JDK 24 (JEP 491). */
  public boolean pinsSince24() {
    return holds == Holds.NO_MONITOR || holds == Holds.UNKNOWN;
  }

  /** Returns whether it is known what holds the carrier. */
  public boolean isExplained() {
    return holds != Holds.UNKNOWN;
  }

  /** Returns whether threads run the initializer of a class, or wait for it. */
  public boolean isInitialization() {
    return this == CLASS_INITIALIZER || this == AWAITED_INITIALIZATION;
  }
}
