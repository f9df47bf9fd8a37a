package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.report.Style;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;

/** The JVM of {@code WarmCommandLine}: commands in, exit codes and what they print out. */
public final class Served {
  private Served() {}

  public static void main(String[] args) throws IOException {
    DataInputStream requests = new DataInputStream(System.in);
    DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
    // Both are taken; a command that uses them must not disturb what goes there.
    System.setIn(InputStream.nullInputStream());
    System.setOut(System.err);
    while (true) {
      int number;
      try {
        number = requests.readInt();
      } catch (EOFException e) {
        // Not with what is still running: whoever asked for it has gone.
        System.exit(0);
        return;
      }
      String[] arguments = new String[requests.readInt()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = requests.readUTF();
      }
      Thread.ofPlatform().start(() -> answer(number, arguments, answers));
    }
  }

  private static void answer(int number, String[] arguments, DataOutputStream answers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Style.PLAIN);
    int code = Main.run(console, arguments);
    try {
      synchronized (answers) {
        answers.writeInt(number);
        answers.writeInt(code);
        for (ByteArrayOutputStream each : new ByteArrayOutputStream[] {out, err}) {
          answers.writeInt(each.size());
          each.writeTo(answers);
        }
        answers.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
