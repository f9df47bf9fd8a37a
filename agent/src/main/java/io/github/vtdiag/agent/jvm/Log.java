package io.github.vtdiag.agent.jvm;

import io.github.vtdiag.model.Printable;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicBoolean;

/** The agent's lines on standard error, each with vtdiag's name: all that the agent prints. */
public final class Log {
  private static final FileOutputStream FILE = new FileOutputStream(FileDescriptor.err);

  /** Not {@code System.err}: an application that replaces it must not get the agent's lines. */
  private static final PrintStream ERR =
      new PrintStream(new BufferedOutputStream(FILE), true, charset());

  private static final AtomicBoolean OUT_OF_MEMORY_SAID = new AtomicBoolean();

  /** Prepared early: when it is needed there may be no memory to create it. */
  private static volatile byte[] outOfMemory = bytes("");

  private Log() {}

  private static Charset charset() {
    try {
      return Charset.forName(System.getProperty("stderr.encoding"));
    } catch (IllegalArgumentException e) {
      return Charset.defaultCharset();
    }
  }

  /** Prints one line, whatever the names in it contain. */
  public static void line(String text) {
    ERR.println("[vtdiag] " + Printable.text(text));
  }

  /** Prints the agent's own text, as it is. */
  public static void print(String text) {
    ERR.print(text);
    ERR.flush();
  }

  /** Prints a failure of the agent in one line. */
  public static void failure(String what, Throwable cause) {
    if (isOutOfMemory(cause)) {
      outOfMemory();
    } else {
      line(what + ": " + cause);
    }
  }

  /**
   * Returns whether memory ran out. Code that closes a stream on the way may have wrapped the
   * error. For a class whose initializer ran out of memory only the message is left.
   */
  private static boolean isOutOfMemory(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError
          || (cause instanceof ExceptionInInitializerError
              && cause.toString().contains(OutOfMemoryError.class.getName()))) {
        return true;
      }
    }
    return false;
  }

  private static byte[] bytes(String hint) {
    return ("[vtdiag] the JVM is out of memory: live warnings may stop here" + hint + "\n")
        .getBytes(ERR.charset());
  }

  /** Sets the hint that {@link #outOfMemory} prints, once it is known. */
  public static void hintAtOutOfMemory(String hint) {
    outOfMemory = bytes(Printable.text(hint));
  }

  /** Reports that memory ran out, once for all threads, without allocating anything. */
  public static void outOfMemory() {
    if (!OUT_OF_MEMORY_SAID.getAndSet(true)) {
      try {
        FILE.write(outOfMemory);
      } catch (IOException e) {
        // There is nowhere to report it.
      }
    }
  }
}
