package vtdiag.agent;

import java.io.PrintStream;
import vtdiag.model.Printable;

/** Lines on standard error, each with vtdiag's name: the agent has no other voice. */
final class Log {
  /** Kept from the start: an application that replaces {@code System.err} shall not catch ours. */
  private static final PrintStream ERR = System.err;

  private Log() {}

  /** One line, whatever the names in it hold. */
  static void line(String text) {
    ERR.println("[vtdiag] " + Printable.text(text));
  }

  /** Text of our own, as it is. */
  static void print(String text) {
    ERR.print(text);
    ERR.flush();
  }

  /** A failure of the agent in one line. */
  static void failure(String what, Throwable cause) {
    line(what + ": " + cause);
  }
}
