package io.github.vtdiag.agent.threads;

import io.github.vtdiag.boot.Mounts;
import io.github.vtdiag.hang.OtherScheduler;
import io.github.vtdiag.hang.SeenThread;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The carriers and virtual threads of schedulers other than the JDK's. A scheduler is an executor
 * of which nothing else is known: its carriers are the threads that mount its virtual threads.
 */
final class OtherSchedulers {
  private final ThreadInternals internals;
  private final boolean counted;

  /** The scheduler for which each carrier was last seen to work. */
  private final IdentityHashMap<Thread, Object> ofCarrier = new IdentityHashMap<>();

  /** The field of a virtual thread that holds its scheduler. */
  private final Optional<Field> scheduler;

  /** The JDK's own scheduler. */
  private final Optional<Object> ofJdk;

  /**
   * @param internals has opened what is read here
   * @param counted whether each mount is noted; if not, idle carriers are unknown
   */
  OtherSchedulers(ThreadInternals internals, boolean counted) {
    this.internals = internals;
    this.counted = counted;
    Optional<Field> field = Optional.empty();
    Optional<Object> jdk = Optional.empty();
    try {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      Field constant = virtual.getDeclaredField("DEFAULT_SCHEDULER");
      constant.setAccessible(true);
      jdk = Optional.of(constant.get(null));
      field = Optional.of(virtual.getDeclaredField("scheduler"));
      field.get().setAccessible(true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // A JDK that keeps them elsewhere: then all threads are counted for its own scheduler.
    }
    this.scheduler = field;
    this.ofJdk = jdk;
  }

  /** Returns the scheduler of a virtual thread; null if that is the JDK's, or unknown. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  Object of(Thread thread) {
    if (scheduler.isEmpty()) {
      return null;
    }
    try {
      Object its = scheduler.get().get(thread);
      return its == ofJdk.get() ? null : its;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns all other schedulers, with what was seen of them. */
  List<OtherScheduler> seen(StuckThreadScan.Result found, Map<Thread, SeenThread> read) {
    ofCarrier.keySet().removeIf(carrier -> !carrier.isAlive());
    for (Thread carrier : Mounts.others()) {
      Thread first = Mounts.takeFirst(carrier);
      Object scheduler = first == null ? null : of(first);
      if (scheduler != null) {
        ofCarrier.put(carrier, scheduler);
      }
    }
    IdentityHashMap<Object, Set<Long>> threads = new IdentityHashMap<>();
    found.mounted().forEach(thread -> add(thread, threads));
    read.keySet().stream().filter(Thread::isVirtual).forEach(thread -> add(thread, threads));
    IdentityHashMap<Object, List<Thread>> carriers = new IdentityHashMap<>();
    ofCarrier.forEach(
        (carrier, scheduler) ->
            carriers.computeIfAbsent(scheduler, same -> new ArrayList<>()).add(carrier));
    // None of its carriers has mounted a thread since mounts are counted.
    found.queuedElsewhere().keySet().forEach(each -> carriers.putIfAbsent(each, List.of()));
    List<OtherScheduler> all = new ArrayList<>();
    carriers.forEach(
        (scheduler, its) ->
            all.add(
                new OtherScheduler(
                    name(scheduler, its),
                    threads.getOrDefault(scheduler, Set.of()),
                    counted && !its.isEmpty() ? OptionalInt.of(its.size()) : OptionalInt.empty(),
                    OptionalLong.of(found.queuedElsewhere().getOrDefault(scheduler, 0L)),
                    counted
                        ? OptionalLong.of(its.stream().mapToLong(StuckThreadScan::mounts).sum())
                        : OptionalLong.empty())));
    return all;
  }

  /** Returns the name of the carriers of a virtual thread; empty for the JDK's scheduler. */
  String name(Thread virtual) {
    Object its = of(virtual);
    return its == null ? "" : name(its, carriers(virtual));
  }

  private static String name(Object scheduler, List<Thread> carriers) {
    return carriers.isEmpty()
        ? scheduler.getClass().getName()
        : OtherScheduler.names(carriers.stream().map(Thread::getName));
  }

  /** Returns the known carriers of a virtual thread; none for the JDK's scheduler. */
  @SuppressWarnings("ReferenceEquality") // identity comparison is intended
  List<Thread> carriers(Thread virtual) {
    Object its = of(virtual);
    return ofCarrier.entrySet().stream()
        .filter(each -> each.getValue() == its)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void add(Thread thread, IdentityHashMap<Object, Set<Long>> threads) {
    Object scheduler = of(thread);
    if (scheduler != null) {
      threads.computeIfAbsent(scheduler, same -> new HashSet<>()).add(thread.threadId());
      Thread carrier = internals.carrier(thread);
      if (carrier != null) {
        ofCarrier.put(carrier, scheduler);
        Mounts.note(carrier);
      }
    }
  }
}
