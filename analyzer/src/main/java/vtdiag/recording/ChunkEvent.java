package vtdiag.recording;

import vtdiag.jfr.ChunkHeader;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.jfr.Values;
import vtdiag.model.StackTrace;
import vtdiag.model.ThreadRef;
import vtdiag.pin.EventValues;
import vtdiag.pin.Events;

/** An event of a chunk; moved from one to the next of its type, so it must not be kept. */
final class ChunkEvent implements EventValues {
  static final ThreadRef NO_THREAD = new ThreadRef(0, "", false);

  final Values values;
  private final ChunkHeader header;
  private final int startTime;
  private final int duration;
  private final int eventThread;
  private final int stackTrace;
  private final int reason;
  private final int operation;
  private final int lockClass;

  ChunkEvent(Values values, ChunkHeader header) {
    this.values = values;
    this.header = header;
    startTime = values.indexOf("startTime");
    duration = values.indexOf("duration");
    eventThread = values.indexOf("eventThread");
    stackTrace = values.indexOf("stackTrace");
    reason = values.indexOf(Events.PINNED_REASON);
    operation = values.indexOf(Events.BLOCKING_OPERATION);
    lockClass = values.indexOf(Events.LOCK_CLASS);
  }

  @Override
  public String type() {
    return values.type().name;
  }

  @Override
  public long startNanos() {
    return header.nanos(values.number(startTime));
  }

  @Override
  public long durationNanos() {
    long start = values.number(startTime);
    return header.nanos(start + values.number(duration)) - header.nanos(start);
  }

  long threadId() {
    return values.number(eventThread);
  }

  /** The type of the constants that threads are, or null. */
  JfrType threadType() {
    return values.constantType(eventThread);
  }

  @Override
  public ThreadRef thread() {
    return threadType() == null
        ? NO_THREAD
        : values.constant("eventThread", NO_THREAD, ThreadRef.class, ChunkEvent::readThread);
  }

  static ThreadRef readThread(Values thread) {
    return new ThreadRef(
        thread.number("javaThreadId"),
        vtdiag.jfr.Constants.threadName(thread),
        thread.number("virtual") != 0);
  }

  /** The id of the stack, 0 if there is none. */
  long stackId() {
    return values.constantType(stackTrace) == null ? 0 : values.number(stackTrace);
  }

  /** Whether it says more of a pin than numbers. */
  boolean hasTexts() {
    return reason >= 0 || operation >= 0 || lockClass >= 0;
  }

  String reason() {
    return values.text(reason);
  }

  String operation() {
    return values.text(operation);
  }

  String lockClass() {
    return values.text(lockClass);
  }

  /** Stacks are read apart, each once. */
  @Override
  public StackTrace stack() {
    throw new UnsupportedOperationException("a fact with a stack");
  }

  @Override
  public String text(String field) {
    return values.text(field);
  }

  @Override
  public long number(String field) {
    return values.number(field);
  }
}
