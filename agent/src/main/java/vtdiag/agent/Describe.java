package vtdiag.agent;

import vtdiag.model.Figures;
import vtdiag.model.Frame;
import vtdiag.model.LockSite;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;

/** Causes and times in the few words that fit a line on standard error. */
final class Describe {
  private Describe() {}

  /** What a live warning says after the blocking operation. */
  static String holder(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held ->
          "holding "
              + held.site().type().simpleName()
              + " ("
              + region(held.site())
              + (held.site().region().kind() == MonitorRegion.Kind.BLOCK ? " in " : " ")
              + held.site().method()
              + ", "
              + place(held.frame())
              + ")";
      case PinCause.NativeFrame(int depth, Frame frame) ->
          "below the native method " + frame.qualifiedMethod();
      case PinCause.ClassInitializer(int depth, Frame frame) ->
          "in the initializer of " + frame.type().name() + " (" + place(frame) + ")";
      case PinCause.AwaitedInitialization(String name) ->
          "while another thread initializes " + name;
      case PinCause.ClassLoading(int depth, Frame frame) ->
          "while a class is loaded for " + place(frame);
      case PinCause.MonitorEntry(Frame frame, String lock) ->
          "to enter the monitor of a " + lock + " at " + place(frame);
      case PinCause.ObjectWait(Frame frame, String lock) -> "on a " + lock + " at " + place(frame);
      case PinCause.HiddenVmFrame(String reason) -> "(" + reason + ")";
      case PinCause.Unexplained(String why) -> "for a cause not known: " + why;
    };
  }

  /** What the summary calls a site: one line for all pins of it. */
  static String site(PinCause cause) {
    return switch (cause) {
      case PinCause.HeldMonitor held ->
          held.site().qualifiedMethod()
              + ", "
              + region(held.site())
              + ", lock: "
              + held.site().region().lock().text();
      case PinCause.NativeFrame(int depth, Frame frame) ->
          frame.qualifiedMethod() + ", native method";
      case PinCause.ClassInitializer(int depth, Frame frame) ->
          frame.qualifiedMethod() + ", class initializer";
      case PinCause.AwaitedInitialization(String name) -> name + ", initialized by another thread";
      case PinCause.ClassLoading(int depth, Frame frame) ->
          frame.qualifiedMethod() + ", class loading";
      case PinCause.MonitorEntry(Frame frame, String lock) ->
          frame.qualifiedMethod() + ", contended monitor entry, lock: a " + lock;
      case PinCause.ObjectWait(Frame frame, String lock) ->
          frame.qualifiedMethod() + ", Object.wait on a " + lock;
      case PinCause.HiddenVmFrame(String reason) -> reason;
      case PinCause.Unexplained(String why) -> "cause not known: " + why;
    };
  }

  private static String region(LockSite site) {
    return switch (site.region().kind()) {
      case METHOD -> "synchronized method";
      case BLOCK -> "synchronized block";
    };
  }

  private static String place(Frame frame) {
    return Figures.position(frame.type(), frame.line());
  }
}
