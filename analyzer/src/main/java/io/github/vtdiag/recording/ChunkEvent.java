package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.Metadata.JfrType;
import io.github.vtdiag.jfr.Values;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.EventValues;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.pin.ThreadEvent;

/**
 * An event of a chunk. One object moves from event to event of its type, so it must not be kept.
 */
final class ChunkEvent implements EventValues {
  static final ThreadRef NO_THREAD = new ThreadRef(0, "", false);

  /** An id that no constant has: the JVM numbers them from 1, or takes addresses. */
  static final long NO_CONSTANT = -1;

  final Values values;
  private final ChunkHeader header;
  private final int startTime;
  private final int duration;
  private final String threadField;
  private final int eventThread;
  private final int stackTrace;
  private final int reason;
  private final int operation;
  private final int lockClass;
  private final int carrier;

  /** The kind of the event if it is not a pin; null if there is none. */
  private final ThreadEvent other;

  private final int text;
  private final boolean textIsConstant;
  private final int number;
  private final boolean hasStack;

  ChunkEvent(Values values, ChunkHeader header) {
    this.values = values;
    this.header = header;
    startTime = values.indexOf("startTime");
    duration = values.indexOf("duration");
    other = ThreadEvent.named(type());
    threadField = other == null ? "eventThread" : other.threadField();
    eventThread = values.indexOf(threadField);
    text = other == null ? -1 : values.indexOf(other.textField());
    textIsConstant = values.constantType(text) != null;
    number = other == null ? -1 : values.indexOf(other.numberField());
    stackTrace = values.indexOf("stackTrace");
    hasStack = values.constantType(stackTrace) != null;
    reason = values.indexOf(Events.PINNED_REASON);
    operation = values.indexOf(Events.BLOCKING_OPERATION);
    lockClass = values.indexOf(Events.LOCK_CLASS);
    carrier = values.indexOf(KeptCarrier.OF_PIN);
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

  /** Returns the id of a pin's carrier; 0 if it is unknown. */
  long carrierId() {
    return values.constantType(carrier) == null ? 0 : values.number(carrier);
  }

  /** Returns the type of the constants for threads, or null. */
  JfrType threadType() {
    return values.constantType(eventThread);
  }

  @Override
  public ThreadRef thread() {
    return threadType() == null
        ? NO_THREAD
        : values.constant(threadField, NO_THREAD, ThreadRef.class, ChunkEvent::readThread);
  }

  /** Returns the number of a {@link ThreadEvent}. */
  long number() {
    return values.number(number);
  }

  /** Returns the kind of the event if it is not a pin; null if there is none. */
  ThreadEvent threadEvent() {
    return other;
  }

  /**
   * Returns the id of the constant with all of its {@link #detail}, or {@link #NO_CONSTANT}. An
   * event without a detail always has the same.
   */
  long detailId() {
    if (text < 0) {
      return 0;
    }
    return textIsConstant ? values.number(text) : NO_CONSTANT;
  }

  /** Returns the text of a {@link ThreadEvent}; empty if there is none. */
  String detail() {
    return text < 0 ? "" : other.text(this);
  }

  static ThreadRef readThread(Values thread) {
    return new ThreadRef(
        thread.number("javaThreadId"),
        io.github.vtdiag.jfr.Constants.threadName(thread),
        thread.number("virtual") != 0);
  }

  /** Goes to an event, and reads it up to its stack. */
  void moveTo(byte[] bytes, int from, int to) {
    values.moveTo(bytes, from, to, Math.max(stackTrace, eventThread) + 1);
  }

  /** Reads the rest of the current event. */
  void readRest() {
    values.readTo(values.count());
  }

  /** Returns the id of the stack, 0 if there is none. */
  long stackId() {
    return hasStack ? values.number(stackTrace) : 0;
  }

  /** Returns whether a pin's event has fields for texts. */
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

  /** Stacks are read separately, each once. */
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
