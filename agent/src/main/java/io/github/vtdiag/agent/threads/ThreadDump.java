package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A dump of all threads, unmounted ones among them, in two files. One is in the JSON format that
 * {@code jcmd PID Thread.dump_to_file -format=json} has on JDK 25, also where this JDK's has less;
 * the other is text. A file is there as a whole or not at all.
 */
final class ThreadDump {
  private final ThreadInternals internals;
  private final ThreadReader reader;
  private final boolean monitorsComplete;
  private final Map<Long, SeenThread> known = new HashMap<>();

  /**
   * @param known threads of which more is known than one snapshot shows
   * @param monitorsComplete whether the monitors of all that may be stuck are known as objects
   */
  ThreadDump(
      ThreadInternals internals,
      ThreadReader reader,
      List<SeenThread> known,
      boolean monitorsComplete) {
    this.internals = internals;
    this.reader = reader;
    this.monitorsComplete = monitorsComplete;
    known.forEach(thread -> this.known.put(thread.id(), thread));
  }

  /**
   * Writes both files.
   *
   * @param head comes first in the text
   */
  void write(Path json, Path text, List<String> head) throws IOException {
    Path jsonPart = part(json);
    Path textPart = part(text);
    try {
      try (Writer jsonOut = Files.newBufferedWriter(jsonPart, StandardCharsets.UTF_8);
          Writer textOut = Files.newBufferedWriter(textPart, StandardCharsets.UTF_8)) {
        write(jsonOut, textOut, head);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      Files.move(jsonPart, json, StandardCopyOption.ATOMIC_MOVE);
      Files.move(textPart, text, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(jsonPart);
      Files.deleteIfExists(textPart);
    }
  }

  private static Path part(Path file) {
    return file.resolveSibling(file.getFileName() + ".part");
  }

  private void write(Writer json, Writer text, List<String> head) throws IOException {
    for (String line : head) {
      text.write(Printable.text(line) + "\n");
    }
    long pid = ProcessHandle.current().pid();
    text.write("\nProcess " + pid + ", " + Instant.now() + ", Java " + Runtime.version() + "\n\n");
    json.write("{\n  \"threadDump\": {\n    \"processId\": \"" + pid + "\",\n");
    json.write("    \"time\": \"" + Instant.now() + "\",\n");
    json.write("    \"runtimeVersion\": " + quoted(Runtime.version().toString()) + ",\n");
    json.write("    \"monitorsComplete\": " + monitorsComplete + ",\n");
    json.write("    \"threadContainers\": [");
    boolean[] first = {true};
    internals.each(
        container -> {
          try {
            container(container, first[0] ? "\n" : ",\n", json, text);
            first[0] = false;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    json.write("\n    ]\n  }\n}\n");
  }

  private void container(
      ThreadInternals.Container container, String separator, Writer json, Writer text)
      throws IOException {
    json.write(separator + "      {\n        \"container\": " + quoted(container.name()) + ",\n");
    json.write("        \"parent\": " + container.parent().map(ThreadDump::quoted).orElse("null"));
    json.write(",\n        \"owner\": " + number(container.owner()) + ",\n");
    json.write("        \"threads\": [");
    long count = threads(container, json, text);
    json.write("\n        ],\n        \"threadCount\": \"" + count + "\"\n      }");
  }

  private long threads(ThreadInternals.Container container, Writer json, Writer text) {
    long[] count = {0};
    container.each(
        thread -> {
          try {
            Optional<ThreadReader.Read> read = reader.read(thread);
            if (read.isPresent()) {
              json.write((count[0]++ == 0 ? "\n" : ",\n") + "          {");
              json(read.get(), json);
              text(read.get(), text);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
    return count[0];
  }

  /**
   * Returns the thread with the monitors that the last snapshot found, if its stack is the same.
   */
  private SeenThread more(SeenThread thread) {
    SeenThread before = known.get(thread.id());
    return before != null && before.frames().equals(thread.frames()) ? before : thread;
  }

  private void json(ThreadReader.Read read, Writer out) throws IOException {
    SeenThread thread = more(read.thread());
    List<String> members = new ArrayList<>();
    members.add("\"tid\": \"" + thread.id() + "\"");
    members.add("\"time\": \"" + Instant.now() + "\"");
    if (thread.virtual()) {
      members.add("\"virtual\": true");
    }
    members.add("\"name\": " + quoted(thread.name()));
    thread.state().ifPresent(state -> members.add("\"state\": \"" + state + "\""));
    waits(thread.waitsFor()).ifPresent(members::add);
    StringBuilder stack = new StringBuilder("\"stack\": [");
    String separator = "\n";
    for (StackTraceElement frame : read.stack()) {
      stack.append(separator).append("              ").append(quoted(frame.toString()));
      separator = ",\n";
    }
    members.add(stack.append("\n            ]").toString());
    monitors(thread).ifPresent(members::add);
    thread.carrier().ifPresent(carrier -> members.add("\"carrier\": \"" + carrier + "\""));
    out.write("\n            " + String.join(",\n            ", members) + "\n          }");
  }

  private static Optional<String> waits(ThreadWait wait) {
    return switch (wait) {
      case ThreadWait.MonitorEntry entry -> lock("blockedOn", entry.lock());
      case ThreadWait.ObjectWait waiting -> lock("waitingOn", waiting.lock());
      case ThreadWait.Park park ->
          park.blocker()
              .map(
                  lock ->
                      "\"parkBlocker\": { \"object\": "
                          + quoted(identity(lock))
                          + switch (park.holder()) {
                            case LockHolder.HeldBy by ->
                                ", \"exclusiveOwnerThreadId\": \"" + by.threadId() + "\"";
                            case LockHolder.Ended ended ->
                                ", \"exclusiveOwnerThreadId\": \""
                                    + ended.threadId()
                                    + "\", \"exclusiveOwnerEnded\": "
                                    + quoted(ended.name());
                            case LockHolder.Free free ->
                                ", \"nextThreadId\": " + number(free.next());
                            case LockHolder.RunBy by ->
                                ", \"runnerThreadId\": \"" + by.threadId() + "\"";
                            case LockHolder.EndOf of ->
                                ", \"joinedThreadId\": \"" + of.threadId() + "\"";
                            case LockHolder.Woken woken -> "";
                            case LockHolder.NotKnown unknown -> "";
                          }
                          + " }");
      case ThreadWait.ClassInitialization awaited ->
          Optional.of("\"waitingForClass\": " + quoted(awaited.className()));
      case ThreadWait.Nothing nothing -> Optional.empty();
      case ThreadWait.NativeCode code -> Optional.empty();
      case ThreadWait.Sleep sleep -> Optional.empty();
      case ThreadWait.NotKnown unknown -> Optional.empty();
    };
  }

  private static Optional<String> lock(String member, LockRef lock) {
    if (lock.className().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        lock.isExact()
            ? "\"" + member + "\": " + quoted(identity(lock))
            : "\"" + member + "Probably\": " + quoted(lock.text()));
  }

  /** Returns a lock as the JDK writes an object. */
  private static String identity(LockRef lock) {
    return lock.unnamed().text();
  }

  private static Optional<String> monitors(SeenThread thread) {
    List<String> owned = new ArrayList<>();
    for (HeldLock held : thread.held()) {
      if (held.kind() == HeldLock.Kind.MONITOR && held.lock().isExact()) {
        owned.add(
            "{ \"depth\": "
                + held.depth()
                + ", \"locks\": [ "
                + quoted(identity(held.lock()))
                + " ] }");
      }
    }
    return owned.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "\"monitorsOwned\": [\n              "
                + String.join(",\n              ", owned)
                + "\n            ]");
  }

  private void text(ThreadReader.Read read, Writer out) throws IOException {
    SeenThread thread = more(read.thread());
    out.write(
        "#"
            + thread.id()
            + " "
            + Printable.quoted(thread.name())
            + (thread.virtual() ? " virtual" : "")
            + thread.state().map(state -> " " + state).orElse("")
            + (thread.carrier().isPresent() ? " on #" + thread.carrier().getAsLong() : "")
            + "\n");
    int depth = 0;
    for (StackTraceElement frame : read.stack()) {
      out.write("    " + Printable.text(frame.toString()) + "\n");
      if (depth == 0) {
        out.write(waiting(thread.waitsFor()));
      }
      for (HeldLock held : thread.held()) {
        if (held.depth() == depth && !held.lock().className().isEmpty()) {
          String verb = held.kind() == HeldLock.Kind.MONITOR ? "locked " : "initializing ";
          out.write("      - " + verb + Printable.text(held.lock().text()) + "\n");
        }
      }
      depth++;
    }
    out.write("\n");
  }

  private static String waiting(ThreadWait wait) {
    String text =
        switch (wait) {
          case ThreadWait.MonitorEntry entry -> named("waiting to lock ", entry.lock());
          case ThreadWait.ObjectWait waiting -> named("waiting on ", waiting.lock());
          case ThreadWait.Park park ->
              park.blocker().map(lock -> "parking to wait for " + lock.text()).orElse("")
                  + (park.holder() instanceof LockHolder.HeldBy by
                      ? ", held by #" + by.threadId()
                      : "");
          case ThreadWait.ClassInitialization awaited ->
              "waiting until " + awaited.className() + " is initialized";
          case ThreadWait.Nothing nothing -> "";
          case ThreadWait.NativeCode code -> "";
          case ThreadWait.Sleep sleep -> "";
          case ThreadWait.NotKnown unknown -> "";
        };
    return text.isEmpty() ? "" : "      - " + Printable.text(text) + "\n";
  }

  private static String named(String verb, LockRef lock) {
    return lock.className().isEmpty() ? "" : verb + lock.text();
  }

  private static String number(OptionalLong number) {
    return number.isPresent() ? "\"" + number.getAsLong() + "\"" : "null";
  }

  /** Returns a JSON string. */
  private static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
              } else if (c < ' ' || Character.isSurrogate((char) c)) {
                json.append(String.format("\\u%04x", c));
              } else {
                json.append((char) c);
              }
            });
    return json.append('"').toString();
  }
}
