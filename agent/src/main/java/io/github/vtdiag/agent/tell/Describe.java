package io.github.vtdiag.agent.tell;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.PinCause;

/** Causes in the few words that fit on a line of standard error. */
final class Describe {
  private Describe() {}

  /** What a live warning says after the blocking operation. */
  static String holder(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> "holding " + held.site().type().simpleName() + held(held);
      case PinCause.NativeFrame call ->
          switch (call.kind()) {
            case JNI, JDK ->
                (call.calledBack().isPresent() ? "called through" : "in")
                    + " native method "
                    + call.frame().qualifiedMethod()
                    + call.calledBy()
                        .filter(caller -> call.calledBack().isEmpty())
                        .map(caller -> ", called at " + place(caller))
                        .orElse("");
            case FFM ->
                (call.calledBack().isPresent() ? "called by a" : "in a")
                    + " foreign function from "
                    + call.frame().qualifiedMethod();
          };
      case PinCause.ClassInitializer(int depth, Frame frame) ->
          "in the initializer of " + frame.type().name() + " (" + place(frame) + ")";
      case PinCause.AwaitedInitialization(String name) ->
          "while another thread initializes " + (name.isEmpty() ? "a class" : name);
      case PinCause.ClassLoading(int depth, Frame frame) ->
          "while loading a class for " + place(frame);
      case PinCause.MonitorEntry entry -> on(entry.lockClass()) + "at " + place(entry.frame());
      case PinCause.ObjectWait(Frame frame, String lock) -> on(lock) + "at " + place(frame);
      case PinCause.HiddenVmFrame hidden -> "cause: " + hidden.text();
      case PinCause.Unexplained(String why) -> "cause unknown: " + why;
    };
  }

  /** What the summary calls a site: one line for all its pins. */
  static String site(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held -> held.site().qualifiedMethod() + ", " + held.text();
      case PinCause.Unexplained(String why) -> "cause unknown: " + why;
      default -> cause.at().map(frame -> frame.qualifiedMethod() + ", ").orElse("") + cause.text();
    };
  }

  private static String held(PinCause.HeldMonitor held) {
    MonitorRegion.Kind kind = held.site().region().kind();
    return " ("
        + switch (kind) {
          case METHOD -> "synchronized method ";
          case BLOCK -> "synchronized block in ";
        }
        + held.site().method()
        + ", "
        + place(held.frame())
        + ")";
  }

  private static String on(String lock) {
    return lock.isEmpty() ? "" : "on " + lock + " ";
  }

  private static String place(Frame frame) {
    return Figures.position(frame.type(), frame.line());
  }
}
