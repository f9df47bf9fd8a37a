package io.github.vtdiag.pin;

import io.github.vtdiag.model.ClassRef;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What JFR tells of a virtual thread besides its pins: what it ran, used or waited for. */
public enum ThreadEvent {
  /** The thread was running Java code when the sampler looked. */
  EXECUTION_SAMPLE("jdk.ExecutionSample", "sampledThread", "", "", ""),
  /** The thread was in native code when the sampler looked. */
  NATIVE_SAMPLE("jdk.NativeMethodSample", "sampledThread", "", "", ""),
  /** The thread had used that much more processor time: the number (JDK 25+, Linux). */
  CPU_SAMPLE("jdk.CPUTimeSample", "eventThread", "", "samplingPeriod", ""),
  /** The text is the path, the number the bytes. */
  FILE_READ("jdk.FileRead", "eventThread", "path", "bytesRead", ""),
  /** The text is the path, the number the bytes. */
  FILE_WRITE("jdk.FileWrite", "eventThread", "path", "bytesWritten", ""),
  /** The text is the path. */
  FILE_FORCE("jdk.FileForce", "eventThread", "path", "", ""),
  /** The text is the class of the blocker, of which virtual threads tell none. */
  PARK("jdk.ThreadPark", "eventThread", "parkedClass", "timeout", ""),
  /** The number is for how long, in nanoseconds. */
  SLEEP("jdk.ThreadSleep", "eventThread", "", "time", ""),
  /** The text is the class of the object, the number its address, the peer who had it before. */
  MONITOR_ENTER("jdk.JavaMonitorEnter", "eventThread", "monitorClass", "address", "previousOwner"),
  /** The text is the class of the object, the peer who woke the thread. */
  MONITOR_WAIT("jdk.JavaMonitorWait", "eventThread", "monitorClass", "timeout", "notifier"),
  /** The text is who was asked, the number the bytes. */
  SOCKET_READ("jdk.SocketRead", "eventThread", "host", "bytesRead", ""),
  /** The text is who was told, the number the bytes. */
  SOCKET_WRITE("jdk.SocketWrite", "eventThread", "host", "bytesWritten", ""),
  /** The thread itself tells, as it begins; the number is its id. */
  THREAD_START("jdk.VirtualThreadStart", "eventThread", "", "javaThreadId", ""),
  /** The number is the id of the thread that ended. */
  THREAD_END("jdk.VirtualThreadEnd", "eventThread", "", "javaThreadId", ""),
  /** The number is the id of the thread that the scheduler did not take, the text says why. */
  SUBMIT_FAILED(
      "jdk.VirtualThreadSubmitFailed", "eventThread", "exceptionMessage", "javaThreadId", ""),
  /** The text is the class of the object, the number the bytes that the sample stands for. */
  ALLOCATION_SAMPLE("jdk.ObjectAllocationSample", "eventThread", "objectClass", "weight", ""),
  /** A test is over; the number says which mark it is. */
  TEST_MARK(Events.TEST_MARK, "eventThread", "", Events.MARK_NUMBER, "");

  /** Their names, as JFR has them. */
  public static final List<String> NAMES =
      Arrays.stream(values()).map(ThreadEvent::eventName).toList();

  /** Those of file I/O. */
  public static final List<ThreadEvent> FILES = List.of(FILE_READ, FILE_WRITE, FILE_FORCE);

  private static final Map<String, ThreadEvent> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toMap(ThreadEvent::eventName, Function.identity()));

  private final String eventName;
  private final String thread;
  private final String text;
  private final String number;
  private final String peer;

  ThreadEvent(String eventName, String thread, String text, String number, String peer) {
    this.eventName = eventName;
    this.thread = thread;
    this.text = text;
    this.number = number;
    this.peer = peer;
  }

  /** The event of this name, or null. */
  public static ThreadEvent named(String name) {
    return BY_NAME.get(name);
  }

  /** The name, as JFR has it. */
  public String eventName() {
    return eventName;
  }

  /** The field that has the thread. */
  public String threadField() {
    return thread;
  }

  /** The field that says more in words; empty if none does. */
  public String textField() {
    return text;
  }

  /** What an event of this sort says in words: the class without what the JVM adds to its name. */
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

  /** The field that says more in a number; empty if none does. */
  public String numberField() {
    return number;
  }

  /** The field that has another thread; empty if none does. */
  public String peerField() {
    return peer;
  }

  /**
   * Whether it need not be asked whose it is: only virtual threads tell of their start and end, and
   * of a refusal or the end of a test any thread may.
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
