package io.github.vtdiag.dump;

import io.github.vtdiag.model.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the carriers in what {@code Thread.print} writes, for frequent samples: nothing is read of
 * other threads.
 */
public final class PrintedCarriers {
  private static final Pattern HEAD =
      Pattern.compile(
          "^\"(.*)\" #(\\d+)(?: \\[(\\d+)\\])? .*?(?:cpu=([\\d.]+)ms" + " elapsed=([\\d.]+)s.*)?$");

  /** The names that a pool gives its threads. */
  private static final Pattern WORKER = Pattern.compile("(.*)-worker-\\d+");

  private static final String CARRYING = "   Carrying virtual thread #";
  private static final String MOUNTED = "   Mounted virtual thread";
  private static final String STATE = "   java.lang.Thread.State: ";
  private static final String FRAME = "\tat ";

  /**
   * A carrier.
   *
   * @param systemThread its id in the operating system; -1 if unknown
   * @param cpuNanos the processor time it has used, in steps of a millisecond at best; -1 if
   *     unknown
   * @param elapsedNanos since it was started; -1 if unknown
   * @param carried the id of the virtual thread that it carries
   * @param stack of what it carries, innermost first; empty before Java 24; of one that carries
   *     nothing and waits itself, not for work, its own
   */
  public record Carrier(
      long id,
      String name,
      long systemThread,
      long cpuNanos,
      long elapsedNanos,
      OptionalLong carried,
      List<Frame> stack) {
    public Carrier {
      stack = List.copyOf(stack);
    }

    /** Returns whether it carries nothing and waits for something other than work. */
    public boolean waitsItself() {
      return carried.isEmpty() && !stack.isEmpty();
    }
  }

  private record Worker(String pool, Carrier carrier) {}

  private final Set<String> schedulers;
  private final List<Worker> workers = new ArrayList<>();

  private String pool = "";
  private boolean isWorker;
  private long number;
  private String name = "";
  private long systemThread;
  private long cpuNanos;
  private long elapsedNanos;
  private OptionalLong carried = OptionalLong.empty();
  private boolean mounted;
  private List<Frame> stack = new ArrayList<>();
  private List<Frame> own = new ArrayList<>();
  private boolean waits;

  private PrintedCarriers(Set<String> schedulers) {
    this.schedulers = schedulers;
  }

  /**
   * Reads the carriers, in the order in which they were started.
   *
   * @param schedulers the pools that carried a virtual thread once; those that do now are added.
   *     The workers of other pools have the same names.
   */
  public static List<Carrier> read(String text, Set<String> schedulers) {
    PrintedCarriers reader = new PrintedCarriers(schedulers);
    text.lines().forEach(reader::line);
    reader.end();
    return reader.workers.stream()
        .filter(worker -> schedulers.contains(worker.pool))
        .map(Worker::carrier)
        .sorted((a, b) -> Long.compare(a.id(), b.id()))
        .toList();
  }

  private void line(String line) {
    if (line.startsWith("\"")) {
      end();
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        name = head.group(1);
        number = Long.parseLong(head.group(2));
        Matcher worker = WORKER.matcher(name);
        isWorker = worker.matches();
        // The thread of another executor is its own pool.
        pool = isWorker ? worker.group(1) : name + " #" + number;
        systemThread = head.group(3) == null ? -1 : number(head.group(3)).orElse(-1);
        cpuNanos = nanos(head.group(4), 1_000_000);
        elapsedNanos = nanos(head.group(5), 1_000_000_000);
      }
    } else if (pool.isEmpty()) {
      return;
    } else if (line.startsWith(CARRYING)) {
      carried = number(line.substring(CARRYING.length()).strip());
    } else if (line.startsWith(MOUNTED)) {
      mounted = true;
    } else if (line.startsWith(STATE)) {
      waits = !line.startsWith("RUNNABLE", STATE.length());
    } else if (line.startsWith(FRAME) && (isWorker || carried.isPresent())) {
      (mounted ? stack : own).add(StackLines.frame(line.substring(FRAME.length())));
    }
  }

  private void end() {
    if (!pool.isEmpty()) {
      if (carried.isPresent()) {
        schedulers.add(pool);
      }
      if (isWorker && carried.isEmpty() && waits && Threads.isBlockedCarrier(own)) {
        // It is about to carry one, so it is no worker of another pool.
        schedulers.add(pool);
        stack = own;
      }
      if (isWorker || schedulers.contains(pool)) {
        workers.add(
            new Worker(
                pool,
                new Carrier(number, name, systemThread, cpuNanos, elapsedNanos, carried, stack)));
      }
    }
    pool = "";
    carried = OptionalLong.empty();
    mounted = false;
    waits = false;
    stack = new ArrayList<>();
    own = new ArrayList<>();
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static long nanos(String number, long unit) {
    try {
      return number == null ? -1 : (long) (Double.parseDouble(number) * unit);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
