package io.github.vtdiag.locksite;

import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.model.MessageMethods;
import java.util.Comparator;
import java.util.List;
import org.objectweb.asm.tree.MethodInsnNode;

/** The ways in which code asks for what it then waits for, as its calls tell. */
public enum Asking {
  /** It puts something into a queue, or it writes to a connection in each round of a loop. */
  EACH_TIME(Means.STREAM, false),

  /**
   * The same, or it has written once after it read, if it did: true only of a connection that this
   * program has made.
   */
  AS_CLIENT(Means.STREAM, true),

  /** It sends a message by a library, such as JMS, and then receives one. */
  BY_MESSAGES(Means.MESSAGES, true),

  /**
   * It sends a message by a known library or a web socket, and then takes from a queue, in each
   * round of a loop: a listener puts the reply there.
   */
  BY_LISTENER(Means.LISTENER, false);

  /** The means by which questions and answers go. */
  private enum Means {
    STREAM,
    MESSAGES,
    LISTENER
  }

  private static final String WEB_SOCKETS = "java/net/http/";

  private final Means means;
  private final boolean once;

  /**
   * @param once whether it asks, too, where no loop is
   */
  Asking(Means means, boolean once) {
    this.means = means;
    this.once = once;
  }

  private boolean asks(MethodInsnNode call) {
    return switch (means) {
      case STREAM -> StreamCalls.isWrite(call);
      case MESSAGES -> isOfLibrary(call) && MessageMethods.sends(call.name);
      case LISTENER -> isOfKnownLibrary(call) && MessageMethods.sends(call.name);
    };
  }

  /** Returns whether the call waits for what comes. */
  private boolean isAnswer(MethodInsnNode call) {
    return switch (means) {
      case STREAM -> StreamCalls.isRead(call);
      case MESSAGES -> isOfLibrary(call) && MessageMethods.receives(call.name);
      case LISTENER -> QueueCalls.isTake(call);
    };
  }

  /** A worker may send its own state in a method of the application before it takes a task. */
  private static boolean isOfKnownLibrary(MethodInsnNode call) {
    return call.owner.startsWith(WEB_SOCKETS) || KnownLibraries.has(call.owner.replace('/', '.'));
  }

  private static boolean isOfLibrary(MethodInsnNode call) {
    return !call.owner.startsWith("java/");
  }

  /** Returns whether the method asks in this way before it waits on that line. */
  boolean isBefore(List<MethodCode> methods, String method, int line) {
    return (means == Means.STREAM
            && methods.stream()
                .anyMatch(code -> code.name.equals(method) && QueueCalls.putsBefore(code, line)))
        || isInOrder(methods, method, line);
  }

  /**
   * Returns whether the innermost loop around that line asks before it waits there, in each round.
   * Code that serves waits first, in the loop or before it.
   */
  private boolean isInOrder(List<MethodCode> methods, String method, int line) {
    return CodeLoop.around(methods, method, line).stream()
        .min(Comparator.comparingInt(loop -> loop.last() - loop.first()))
        .map(loop -> !waitsBefore(loop) && asksBefore(loop, line))
        .orElseGet(
            () ->
                once
                    && methods.stream()
                        .anyMatch(code -> code.name.equals(method) && asksLast(code, line)));
  }

  /**
   * Returns whether of the calls before that of a line the last one asks. One that completes the
   * question, such as a flush, waits for no answer.
   */
  private boolean asksLast(MethodCode code, int line) {
    String asked = "";
    for (int i = 0; i < code.size(); i++) {
      if (!(code.instructions.get(i) instanceof MethodInsnNode call)) {
        continue;
      }
      if (asks(call)) {
        asked = call.owner;
      } else if (code.line(i) == line
          && !asked.isEmpty()
          && (isAnswer(call) || !call.owner.equals(asked))) {
        return true;
      } else if (isAnswer(call)) {
        asked = "";
      }
    }
    return false;
  }

  private boolean waitsBefore(CodeLoop loop) {
    for (int i = 0; i < loop.first(); i++) {
      if (loop.code().instructions.get(i) instanceof MethodInsnNode call && isAnswer(call)) {
        return true;
      }
    }
    return false;
  }

  private boolean asksBefore(CodeLoop loop, int line) {
    boolean asked = false;
    for (int i = loop.first(); i <= loop.last(); i++) {
      if (loop.code().instructions.get(i) instanceof MethodInsnNode call) {
        if (isAnswer(call)) {
          return asked && loop.code().line(i) == line;
        }
        asked |= asks(call);
      }
    }
    return false;
  }
}
