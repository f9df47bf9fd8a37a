package io.github.vtdiag.pin;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;

/**
 * A JFR event from any reader: the JDK's or vtdiag's own. A field that an event lacks (layouts
 * differ between JDKs) reads as empty, 0 or false.
 */
public interface EventValues {
  /** The event type's name, such as {@code jdk.VirtualThreadPinned}. */
  String type();

  /** Nanoseconds since the epoch. */
  long startNanos();

  /** Nanoseconds; 0 for an instant event. */
  long durationNanos();

  /** The event's thread. */
  ThreadRef thread();

  /** {@link StackTrace#ABSENT} where there is none. */
  StackTrace stack();

  /** A string field, or the name of a class field (dots) or thread field; empty if null. */
  String text(String field);

  /** An integral field; a boolean one is 0 or 1. */
  long number(String field);
}
