package io.github.vtdiag.dump;

import io.github.vtdiag.dump.PrintedThread.How;
import io.github.vtdiag.dump.PrintedThread.Locked;
import io.github.vtdiag.dump.PrintedThread.Printed;
import io.github.vtdiag.dump.PrintedThread.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code Thread.print -l} writes. It has no virtual threads, but it has what the JSON of
 * Java 21 lacks: which carrier carries which thread, the processor time that used, and the class
 * that is waited for.
 */
final class PrintedThreads {
  private static final Pattern HEAD =
      Pattern.compile("^\"(.*)\" #(\\d+) .*?(?:cpu=([\\d.]+)ms elapsed=([\\d.]+)s.*)?$");
  private static final Pattern STATE =
      Pattern.compile("^ {3}java\\.lang\\.Thread\\.State: (\\w+).*");
  private static final Pattern CARRYING = Pattern.compile("^ {3}Carrying virtual thread #(\\d+)");
  private static final Pattern OBJECT =
      Pattern.compile("^\\s+- (.*?) *<(0x[0-9a-f]+)> \\(an? (.*)\\)");
  private static final Pattern AWAITED_CLASS =
      Pattern.compile("^\\s+- waiting on the Class initialization monitor for (.+)");
  private static final String FRAME = "\tat ";

  private final StackLines stacks;
  private final Map<Long, PrintedThread> threads = new HashMap<>();

  private long id;
  private String name;
  private long cpuNanos;
  private long elapsedNanos;
  private Optional<Thread.State> state;
  private OptionalLong carried;
  private List<String> frames;
  private boolean mounted;
  private Optional<Waits> waits;
  private List<Locked> locked;
  private List<Printed> owned;
  private Optional<String> awaitedClass;

  private PrintedThreads(StackLines stacks) {
    this.stacks = stacks;
    clear(-1, "");
  }

  /** Reads the Java threads by their ids. */
  static Map<Long, PrintedThread> read(String text, StackLines stacks) {
    PrintedThreads reader = new PrintedThreads(stacks);
    text.lines().forEach(reader::line);
    reader.end();
    return reader.threads;
  }

  private void line(String line) {
    if (line.startsWith("\"")) {
      end();
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        clear(Long.parseLong(head.group(2)), head.group(1));
        cpuNanos = nanos(head.group(3), 1_000_000);
        elapsedNanos = nanos(head.group(4), 1_000_000_000);
      }
    } else if (id >= 0) {
      detail(line);
    }
  }

  private void detail(String line) {
    if (line.startsWith(FRAME)) {
      if (!mounted) {
        frames.add(line.substring(FRAME.length()));
      }
      return;
    }
    if (line.startsWith("   Mounted virtual thread")) {
      mounted = true; // The rest is in the JSON too.
      return;
    }
    group(AWAITED_CLASS, line).ifPresent(name -> awaitedClass = Optional.of(name.strip()));
    if (mounted) {
      return;
    }
    group(STATE, line).ifPresent(name -> state = state(name));
    group(CARRYING, line).ifPresent(thread -> carried = OptionalLong.of(Long.parseLong(thread)));
    Matcher object = OBJECT.matcher(line);
    if (object.matches()) {
      object(object.group(1), new Printed(address(object.group(2)), object.group(3)));
    }
  }

  private static Optional<String> group(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private void object(String how, Printed object) {
    switch (how.toLowerCase(Locale.ROOT)) {
      case "waiting to lock", "waiting to re-lock in wait()" ->
          waits = Optional.of(new Waits(How.TO_LOCK, object));
      case "waiting on" -> waits = Optional.of(new Waits(How.ON_MONITOR, object));
      case "parking to wait for" -> waits = Optional.of(new Waits(How.PARKED, object));
      case "locked" -> locked.add(new Locked(frames.size() - 1, object));
      case "" -> owned.add(object);
      default -> {} // An eliminated lock excludes no thread.
    }
  }

  private void end() {
    if (id >= 0) {
      threads.put(
          id,
          new PrintedThread(
              id,
              name,
              cpuNanos,
              elapsedNanos,
              state,
              carried,
              stacks.stack(frames),
              waits,
              List.copyOf(locked),
              List.copyOf(owned),
              awaitedClass));
    }
    clear(-1, "");
  }

  private void clear(long newId, String newName) {
    id = newId;
    name = newName;
    cpuNanos = -1;
    elapsedNanos = -1;
    state = Optional.empty();
    carried = OptionalLong.empty();
    frames = new ArrayList<>();
    mounted = false;
    waits = Optional.empty();
    locked = new ArrayList<>();
    owned = new ArrayList<>();
    awaitedClass = Optional.empty();
  }

  private static Optional<Thread.State> state(String name) {
    for (Thread.State each : Thread.State.values()) {
      if (each.name().equals(name)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static long nanos(String number, long unit) {
    try {
      return number == null ? -1 : (long) (Double.parseDouble(number) * unit);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static long address(String hex) {
    try {
      return Long.parseUnsignedLong(hex.substring(2), 16);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
