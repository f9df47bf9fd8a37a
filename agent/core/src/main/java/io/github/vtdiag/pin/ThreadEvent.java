package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of JFR event of a virtual thread besides its pins: what it ran, used or waited for. The
 * agent records few of them; those of waits, one for each, are in recordings by JFR's own settings.
 */
public enum ThreadEvent {
  /** The thread was running Java code when it was sampled. */
  EXECUTION_SAMPLE("jdk.ExecutionSample", "sampledThread", "", ""),
  /** The thread was in native code when it was sampled. */
  NATIVE_SAMPLE("jdk.NativeMethodSample", "sampledThread", "", ""),
  /** The thread had used that much more processor time: the number (JDK 25+, Linux). */
  CPU_SAMPLE("jdk.CPUTimeSample", "eventThread", "", "samplingPeriod"),
  /** The text is the path, the number the bytes. */
  FILE_READ("jdk.FileRead", "eventThread", "path", "bytesRead"),
  /** The text is the path, the number the bytes. */
  FILE_WRITE("jdk.FileWrite", "eventThread", "path", "bytesWritten"),
  /** The text is the path. */
  FILE_FORCE("jdk.FileForce", "eventThread", "path", ""),
  /** The text is the class of the blocker, which is not recorded for virtual threads. */
  PARK("jdk.ThreadPark", "eventThread", "parkedClass", "timeout"),
  /** The number is the requested time in nanoseconds. */
  SLEEP("jdk.ThreadSleep", "eventThread", "", "time"),
  /** The text is the class of the object, the number its address. */
  MONITOR_ENTER("jdk.JavaMonitorEnter", "eventThread", "monitorClass", "address"),
  /** The text is the class of the object. */
  MONITOR_WAIT("jdk.JavaMonitorWait", "eventThread", "monitorClass", "timeout"),
  /** The text is the remote address, the number the bytes. */
  SOCKET_READ("jdk.SocketRead", "eventThread", "host", "bytesRead"),
  /** The text is the remote address, the number the bytes. */
  SOCKET_WRITE("jdk.SocketWrite", "eventThread", "host", "bytesWritten"),
  /** The thread itself writes it as it begins; the number is its id. */
  THREAD_START("jdk.VirtualThreadStart", "eventThread", "", "javaThreadId"),
  /** The number is the id of the thread that ended. */
  THREAD_END("jdk.VirtualThreadEnd", "eventThread", "", "javaThreadId"),
  /** The number is the id of the thread that the scheduler rejected, the text is the reason. */
  SUBMIT_FAILED("jdk.VirtualThreadSubmitFailed", "eventThread", "exceptionMessage", "javaThreadId"),
  /** The text is the class of the object, the number the bytes that the sample stands for. */
  ALLOCATION_SAMPLE("jdk.ObjectAllocationSample", "eventThread", "objectClass", "weight"),
  /** A test is over; the number is that of the mark. */
  TEST_MARK(Events.TEST_MARK, "eventThread", "", Events.MARK_NUMBER);

  /** The names of the events in JFR. */
  public static final List<String> NAMES =
      Arrays.stream(values()).map(ThreadEvent::eventName).toList();

  /** The events of file I/O. */
  public static final List<ThreadEvent> FILES = List.of(FILE_READ, FILE_WRITE, FILE_FORCE);

  private static final Map<String, ThreadEvent> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toMap(ThreadEvent::eventName, Function.identity()));

  private final String eventName;
  private final String thread;
  private final String text;
  private final String number;

  ThreadEvent(String eventName, String thread, String text, String number) {
    this.eventName = eventName;
    this.thread = thread;
    this.text = text;
    this.number = number;
  }

  /** Returns the event of this name, or null. */
  public static ThreadEvent named(String name) {
    return BY_NAME.get(name);
  }

  /** Returns the name of the event in JFR. */
  public String eventName() {
    return eventName;
  }

  /** Returns the field for the thread. */
  public String threadField() {
    return thread;
  }

  /** Returns the field for the text; empty if there is none. */
  public String textField() {
    return text;
  }

  /**
   * Returns the text of an event; for a class, without the suffix that the JVM adds to its name.
   */
  public String text(EventValues event) {
    return switch (this) {
      case PARK, MONITOR_ENTER, MONITOR_WAIT, ALLOCATION_SAMPLE ->
          ClassRef.withoutHiddenSuffix(event.text(text));
      case SOCKET_READ, SOCKET_WRITE -> {
        String host = event.text("host");
        yield (host.isEmpty() ? event.text("address") : host) + ":" + event.number("port");
      }
      case EXECUTION_SAMPLE,
          NATIVE_SAMPLE,
          CPU_SAMPLE,
          FILE_READ,
          FILE_WRITE,
          FILE_FORCE,
          SLEEP,
          THREAD_START,
          THREAD_END,
          SUBMIT_FAILED,
          TEST_MARK ->
          text.isEmpty() ? "" : event.text(text);
    };
  }

  /** Returns the field for the number; empty if there is none. */
  public String numberField() {
    return number;
  }

  /**
   * Returns whether the event counts for any thread. Only virtual threads have events of their
   * start and end; a refusal or the end of a test may come from any thread.
   */
  public boolean ofAnyThread() {
    return switch (this) {
      case SUBMIT_FAILED, THREAD_START, THREAD_END, TEST_MARK -> true;
      case EXECUTION_SAMPLE,
          NATIVE_SAMPLE,
          CPU_SAMPLE,
          FILE_READ,
          FILE_WRITE,
          FILE_FORCE,
          PARK,
          SLEEP,
          MONITOR_ENTER,
          MONITOR_WAIT,
          SOCKET_READ,
          SOCKET_WRITE,
          ALLOCATION_SAMPLE ->
          false;
    };
  }
}
