package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.Diagnoser;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.DiagnosisWords;
import io.github.vtdiag.hang.NotScheduled;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.Snapshot;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.watch.Carriers;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Takes snapshots of all threads and reports hangs: once when one is certain, once when it has
 * ended. It runs on a thread of its own, because with a million threads a snapshot takes a while.
 */
public final class HangWatch implements Runnable {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

  /** The part of one processor that all snapshots together may take: 1/200. */
  private static final int SHARE = 200;

  /**
   * The processor time that snapshots may take at once, when a hang is suspected or the JVM is
   * cold.
   */
  private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The number of further snapshots, in quick succession, that all have to show a hang. */
  private static final int CHECKS = 10;

  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * The number of snapshots in a row that have to show a hang that is only probable, or has a
   * timeout.
   */
  private static final int PROBABLE_LOOKS = 3;

  /**
   * The number of snapshots in a row that have to show starved carriers: starvation that ends
   * within seconds is no hang.
   */
  private static final int STARVED_LOOKS = 12;

  /**
   * The number of snapshots in a row that have to show a lost wake-up: the waker may have no
   * processor for a while.
   */
  private static final int LOST_WAKE_UP_LOOKS = 6;

  /** The number of snapshots in a row that do not show a hang, after which it has ended. */
  private static final int GONE_LOOKS = 2;

  /** The number of threads that are read of those that a scheduler does not run. */
  private static final int MOST_READ = 4;

  /** The number of failures in a row after which it gives up. */
  private static final int FAILURES = 5;

  /**
   * A hang.
   *
   * @param number counted from 1 in each JVM
   * @param lines the verdict, the evidence and what ends it
   */
  public record Hang(int number, Diagnosis diagnosis, List<String> lines) {}

  /** Writes all threads, as JSON and as text. */
  @FunctionalInterface
  public interface Dump {
    void write(Path json, Path text) throws IOException;
  }

  /** Receives the hangs. */
  public interface Listener {
    /**
     * Called when a hang is certain.
     *
     * @param dump to be used before this returns
     */
    void found(Hang hang, Dump dump);

    void ended(Hang hang);
  }

  private final Instrumentation instrumentation;
  private final LockMapReader maps;
  private final boolean counted;
  private final Supplier<List<Stall>> stalls;
  private final Supplier<AskedPorts> ownPorts;
  private final Listener listener;
  private final Consumer<Throwable> failed;
  private final Management management = new Management();
  private final Carriers carriers = new Carriers();
  private final FirstThread first;
  private final DiagnosisWords words =
      new DiagnosisWords(Runtime.version().feature(), name -> Management.agents().find(name));
  private final Map<Key, Reported> told = new HashMap<>();
  private Optional<ThreadSnapshots> looks = Optional.empty();
  private Optional<Snapshot> before = Optional.empty();
  private long creditNanos = CREDIT_NANOS;
  private final Map<Key, Integer> inARow = new HashMap<>();

  /** The number of snapshots in a row that show a lost wake-up of a thread, by the thread's id. */
  private Map<Long, Integer> lostWakeUps = Map.of();

  private int number;
  private int failures;

  private static final class Reported {
    final Hang hang;
    final Set<Long> threads;
    int missed;

    Reported(Hang hang, Set<Long> threads) {
      this.hang = hang;
      this.threads = threads;
    }
  }

  /**
   * @param counted whether the JVM counts how often each carrier mounts
   * @param stalls the stalled threads at the moment
   * @param ownPorts the ports of this program itself from which virtual threads wait to read, where
   *     no thread reads
   * @param failed receives the error that ends the watch, which does not affect the application
   */
  public HangWatch(
      Instrumentation instrumentation,
      LockMapReader maps,
      boolean counted,
      Supplier<List<Stall>> stalls,
      Supplier<AskedPorts> ownPorts,
      Listener listener,
      Consumer<Throwable> failed) {
    this.instrumentation = instrumentation;
    this.first = new FirstThread(carriers, instrumentation);
    this.maps = maps;
    this.counted = counted;
    this.stalls = stalls;
    this.ownPorts = ownPorts;
    this.listener = listener;
    this.failed = failed;
  }

  /** Takes snapshots until the JVM ends or a snapshot fails. */
  @Override
  public void run() {
    try {
      while (true) {
        long start = management.mine();
        List<Thread> platform = ThreadSnapshots.platformThreads();
        if (first.wasMade()) {
          tryToLook(platform);
        }
        creditNanos = Math.min(CREDIT_NANOS, creditNanos - (management.mine() - start));
        long pause = Math.max(PERIOD_NANOS, -creditNanos * SHARE);
        TimeUnit.NANOSECONDS.sleep(pause);
        creditNanos += pause / SHARE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError | InternalError e) {
      // The JDK turns the error of a full heap into an InternalError when it opens modules.
      failed.accept(e);
    } finally {
      looks.ifPresent(ThreadSnapshots::close);
    }
  }

  /** Takes a snapshot. Threads end meanwhile, and not every place in the JDK tolerates that. */
  private void tryToLook(List<Thread> platform)
      throws ReflectiveOperationException, InterruptedException {
    try {
      look(platform);
      failures = 0;
    } catch (RuntimeException e) {
      before = Optional.empty();
      if (++failures == FAILURES) {
        throw e;
      }
    }
  }

  private void look(List<Thread> platform)
      throws ReflectiveOperationException, InterruptedException {
    if (looks.isEmpty()) {
      looks = Optional.of(new ThreadSnapshots(instrumentation, maps, counted, management));
    }
    Set<Long> again = new HashSet<>();
    told.values().forEach(each -> again.addAll(each.threads));
    Snapshot now = looks.get().look(platform, again);
    List<Diagnosis> all = withLasting(before.isEmpty() ? List.of() : diagnose(before.get(), now));
    before = Optional.of(now);
    tellWoken();
    Map<Key, Diagnosis> hangs = new HashMap<>();
    for (Diagnosis diagnosis : all) {
      key(diagnosis).ifPresent(key -> hangs.put(key, diagnosis));
    }
    inARow.keySet().retainAll(hangs.keySet());
    hangs.keySet().forEach(key -> inARow.merge(key, 1, Integer::sum));
    hangs.entrySet().removeIf(each -> inARow.get(each.getKey()) < looksNeeded(each.getValue()));
    tellEnded(hangs.keySet());
    Map<Key, Diagnosis> fresh = new HashMap<>(hangs);
    fresh.keySet().removeAll(told.keySet());
    if (!fresh.isEmpty()) {
      check(platform, now, fresh.keySet());
      for (Map.Entry<Key, Diagnosis> each : fresh.entrySet()) {
        tell(each.getKey(), each.getValue());
      }
    }
  }

  /**
   * Returns the findings of two snapshots, and the stalled threads. Where anything else hangs,
   * stalled threads are left out: most of them wait for that.
   */
  private List<Diagnosis> diagnose(Snapshot first, Snapshot second) {
    List<Diagnosis> all = new ArrayList<>(Diagnoser.diagnose(first, second));
    boolean hangs =
        Stream.concat(
                all.stream()
                    .map(Diagnosis::kind)
                    // A lost wake-up that lasts was reported before other threads stall.
                    .filter(kind -> kind != DiagnosisKind.LOST_WAKE_UP),
                told.keySet().stream().map(Key::kind).filter(kind -> kind != DiagnosisKind.STALLED))
            .anyMatch(DiagnosisKind::isHang);
    stalls.get().stream()
        .map(Diagnosis.Stalled::new)
        .filter(stalled -> !hangs || key(stalled).filter(told::containsKey).isPresent())
        .forEach(all::add);
    return all;
  }

  /** Drops lost wake-ups that have not lasted for long. */
  private List<Diagnosis> withLasting(List<Diagnosis> all) {
    Map<Long, Integer> looksNow = new HashMap<>();
    List<Diagnosis> lasting = new ArrayList<>();
    for (Diagnosis diagnosis : all) {
      if (diagnosis instanceof Diagnosis.LostWakeUp lost) {
        // It is unknown here whether a monitor is free: not all threads were read.
        List<SeenThread> parked =
            lost.waiters().stream()
                .filter(thread -> thread.waitsFor() instanceof ThreadWait.Park)
                .toList();
        for (SeenThread thread : parked) {
          looksNow.put(thread.id(), lostWakeUps.getOrDefault(thread.id(), 0) + 1);
        }
        boolean lasts =
            told.containsKey(new Key(DiagnosisKind.LOST_WAKE_UP, Set.of()))
                || looksNow.values().stream().anyMatch(seen -> seen >= LOST_WAKE_UP_LOOKS);
        List<SeenThread> waiters = lasts ? atLeastHalf(parked, looksNow) : List.of();
        if (!waiters.isEmpty()) {
          lasting.add(new Diagnosis.LostWakeUp(waiters));
        }
      } else {
        lasting.add(diagnosis);
      }
    }
    lostWakeUps = looksNow;
    return lasting;
  }

  /**
   * Returns the threads seen at half of the snapshots: wake-ups that were lost at once may not all
   * have been seen first at the same snapshot.
   */
  private static List<SeenThread> atLeastHalf(List<SeenThread> threads, Map<Long, Integer> looks) {
    return threads.stream()
        .filter(thread -> looks.get(thread.id()) >= LOST_WAKE_UP_LOOKS / 2)
        .toList();
  }

  /**
   * The identity of a hang.
   *
   * @param identity what distinguishes it from others of its kind
   */
  private record Key(DiagnosisKind kind, Object identity) {}

  /** Returns the key of a hang; empty if it is no hang. */
  private static Optional<Key> key(Diagnosis diagnosis) {
    return Optional.of(new Key(diagnosis.kind(), diagnosis.identity()))
        .filter(key -> key.kind().isHang());
  }

  private static int looksNeeded(Diagnosis diagnosis) {
    return switch (diagnosis.confirmation()) {
      case IMMEDIATE -> 1;
      case REPEATED -> PROBABLE_LOOKS;
      case LASTING -> STARVED_LOOKS;
    };
  }

  /**
   * Takes several more snapshots, and drops the hangs that one of them does not show. Threads that
   * were read one after the other may seem to wait in a circle while they only alternate.
   */
  private void check(List<Thread> platform, Snapshot first, Set<Key> suspected)
      throws ReflectiveOperationException, InterruptedException {
    for (int i = 0; i < CHECKS && !suspected.isEmpty(); i++) {
      TimeUnit.NANOSECONDS.sleep(CHECK_NANOS);
      Set<Key> seen = new HashSet<>();
      for (Diagnosis diagnosis : diagnose(first, looks.orElseThrow().lookAgain(platform))) {
        key(diagnosis).ifPresent(seen::add);
      }
      suspected.retainAll(seen);
    }
  }

  /** Reports lost wake-ups that need no check: the JDK's own fields contradict each other. */
  private void tellWoken() throws ReflectiveOperationException {
    List<SeenThread> woken = looks.orElseThrow().woken(LOST_WAKE_UP_LOOKS);
    if (!woken.isEmpty()) {
      Diagnosis lost = new Diagnosis.LostWakeUp(woken);
      tell(new Key(lost.kind(), lost.threads()), lost);
    }
  }

  private void tell(Key key, Diagnosis diagnosis) throws ReflectiveOperationException {
    Diagnosis whole = whole(diagnosis);
    Hang hang = new Hang(++number, whole, words.lines(whole));
    told.put(key, new Reported(hang, diagnosis.threads()));
    listener.found(hang, (json, text) -> looks.orElseThrow().dump(json, text, hang.lines()));
  }

  /** Returns the diagnosis with what is searched only for those that are told. */
  private Diagnosis whole(Diagnosis diagnosis) throws ReflectiveOperationException {
    if (diagnosis instanceof CarriersKept.Starved starved) {
      return withOwnPorts(new BusyWaitSearch(maps).with(starved, looks.orElseThrow()));
    }
    if (diagnosis instanceof NotScheduled queued) {
      return queued.with(looks.orElseThrow().queuedFor(queued.scheduler(), MOST_READ));
    }
    return diagnosis;
  }

  /** Returns the same diagnosis with the ports of this program that its keepers ask. */
  private CarriersKept.Starved withOwnPorts(CarriersKept.Starved starved) {
    if (starved.kept().stream().noneMatch(kept -> AskedPorts.mayAsk(kept.thread()))) {
      return starved;
    }
    AskedPorts ports = ownPorts.get();
    return starved.with(
        thread -> {
          OptionalInt port = ports.of(thread);
          return port.isPresent() && thread.waitsFor() instanceof ThreadWait.Park park
              ? thread.with(park.at(port.getAsInt()), thread.held())
              : thread;
        });
  }

  private void tellEnded(Set<Key> seen) {
    List<Object> gone = new ArrayList<>();
    told.forEach(
        (key, each) -> {
          each.missed = seen.contains(key) ? 0 : each.missed + 1;
          if (each.missed >= GONE_LOOKS) {
            gone.add(key);
          }
        });
    gone.forEach(key -> listener.ended(told.remove(key).hang));
  }
}
