package io.github.vtdiag.model;

import java.util.List;
import java.util.Locale;

/** The methods by which libraries send messages and receive them, by their names. */
public final class MessageMethods {
  private static final List<String> SENDING = List.of("send", "publish", "produce");

  private static final List<String> RECEIVING =
      List.of("receive", "recv", "poll", "take", "next", "consume", "dequeue");

  private MessageMethods() {}

  /** Returns whether a method of that name sends a message. */
  public static boolean sends(String method) {
    String lower = method.toLowerCase(Locale.ROOT);
    return SENDING.stream().anyMatch(lower::contains);
  }

  /** Returns whether a method of that name takes what others send. */
  public static boolean receives(String method) {
    String lower = method.toLowerCase(Locale.ROOT);
    return RECEIVING.stream().anyMatch(lower::startsWith);
  }
}
