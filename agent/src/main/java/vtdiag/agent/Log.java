package vtdiag.agent;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import vtdiag.model.Printable;

/** Lines on standard error, each with vtdiag's name: the agent has no other voice. */
final class Log {
  /** Not {@code System.err}: an application that has replaced it shall not catch ours. */
  private static final PrintStream ERR =
      new PrintStream(
          new BufferedOutputStream(new FileOutputStream(FileDescriptor.err)), true, charset());

  private Log() {}

  private static Charset charset() {
    try {
      return Charset.forName(System.getProperty("stderr.encoding"));
    } catch (IllegalArgumentException e) {
      return Charset.defaultCharset();
    }
  }

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
