package io.github.vtdiag.agent.threads;

import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.watch.Carriers;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The monitors that threads wait to enter, as objects with their owners. They are known on JDKs
 * before 25 whose memory can be read ({@link VmMonitors}). The lock maps tell where the monitors
 * were taken.
 */
final class MonitorsByVm {
  private final ThreadReader reader;
  private final Optional<VmMonitors> vm;

  /**
   * @param threads the same threads, and the platform threads that own what others wait for
   * @param complete whether the monitor and its owner are known for each thread that waits for one
   */
  record Resolved(List<SeenThread> threads, boolean complete) {}

  MonitorsByVm(ThreadReader reader, Instrumentation instrumentation) {
    this.reader = reader;
    this.vm = reader.isExact() ? Optional.empty() : VmMonitors.find(instrumentation);
  }

  /**
   * @param platform all platform threads, with the carriers
   */
  Resolved resolve(List<SeenThread> threads, List<Thread> platform)
      throws ReflectiveOperationException {
    List<SeenThread> waiters =
        threads.stream()
            .filter(thread -> thread.waitsFor() instanceof ThreadWait.MonitorEntry)
            .toList();
    if (vm.isEmpty() || waiters.isEmpty()) {
      return new Resolved(threads, false);
    }
    Set<Long> ids = new HashSet<>();
    Map<Long, Long> carried = new HashMap<>();
    for (SeenThread thread : threads) {
      thread.carrier().ifPresent(carrier -> carried.put(carrier, thread.id()));
    }
    waiters.forEach(waiter -> ids.add(place(waiter)));
    Map<Long, VmMonitors.Pending> pending = vm.get().pending(platform, ids);
    Map<Long, SeenThread> all = new LinkedHashMap<>();
    threads.forEach(thread -> all.put(thread.id(), thread));
    boolean complete = true;
    for (SeenThread waiter : waiters) {
      VmMonitors.Pending monitor = pending.get(place(waiter));
      if (monitor == null) {
        complete = false;
        continue;
      }
      LockRef lock = lock(monitor, waiter.waitsFor().object().orElseThrow());
      long owner = -1;
      if (monitor.owner().isPresent()) {
        owner = carried.getOrDefault(monitor.owner().getAsLong(), monitor.owner().getAsLong());
        if (!all.containsKey(owner) && !add(monitor.owner().getAsLong(), platform, all)) {
          complete = false;
        }
        all.computeIfPresent(owner, (id, thread) -> holding(thread, lock));
      }
      // It is free at the moment: then no object is reported as hanging.
      LockRef awaited = owner < 0 ? LockRef.anyOf(lock.className()) : lock;
      SeenThread now = all.get(waiter.id());
      all.put(waiter.id(), now.with(new ThreadWait.MonitorEntry(awaited), now.held()));
    }
    return new Resolved(List.copyOf(all.values()), complete);
  }

  /** Returns the platform thread on which a thread runs: its carrier, or itself. */
  private static long place(SeenThread thread) {
    return thread.carrier().orElse(thread.id());
  }

  private boolean add(long id, List<Thread> platform, Map<Long, SeenThread> all)
      throws ReflectiveOperationException {
    for (Thread thread : platform) {
      if (thread.threadId() == id && !Carriers.isOfJdk(thread)) {
        reader.look(thread).ifPresent(seen -> all.put(id, seen));
      }
    }
    return all.containsKey(id);
  }

  /** Returns the object, with the name that the lock map has for it. */
  private static LockRef lock(VmMonitors.Pending monitor, LockRef byMap) {
    if (byMap.isExact() && byMap.identity().getAsInt() == monitor.hash()) {
      return byMap;
    }
    LockRef lock = LockRef.of(monitor.className(), monitor.hash());
    return byMap.name() instanceof LockRef.Name.Field field
        ? lock.named(byMap.className() + "." + field.name())
        : lock;
  }

  /**
   * Returns that thread with a monitor that it holds, in the frame that its lock map has for it.
   */
  private static SeenThread holding(SeenThread thread, LockRef lock) {
    if (thread.held().stream().anyMatch(held -> held.lock().isSame(lock))) {
      return thread;
    }
    List<HeldLock> held = new ArrayList<>(thread.held());
    Optional<HeldLock> byMap =
        sole(held, candidate -> candidate.className().equals(lock.className()));
    if (byMap.isEmpty()) {
      byMap = sole(held, candidate -> true);
    }
    byMap.ifPresent(held::remove);
    held.add(new HeldLock(HeldLock.Kind.MONITOR, lock, byMap.map(HeldLock::depth).orElse(-1)));
    return thread.with(thread.waitsFor(), held);
  }

  /** Returns the only held lock that fits; empty if there are none or several. */
  private static Optional<HeldLock> sole(List<HeldLock> all, Predicate<LockRef> fits) {
    List<HeldLock> fitting =
        all.stream()
            .filter(held -> held.kind() == HeldLock.Kind.MONITOR && !held.lock().isExact())
            .filter(held -> fits.test(held.lock()))
            .toList();
    return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
  }
}
