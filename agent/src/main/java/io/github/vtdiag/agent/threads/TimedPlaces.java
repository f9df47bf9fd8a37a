package io.github.vtdiag.agent.threads;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where threads wait with a timeout again and again, and nobody is woken: the requests for an
 * object of a pool that has none fail one after the other, and none of them waits for long.
 */
final class TimedPlaces {
  /** So long nobody may be there: they all try again at the same time. */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Whether who gets this lock is not noted; null is none. */
  static boolean isHandedOver(Object lock) {
    return lock != null
        && lock.getClass().getName().startsWith("java.util.concurrent.locks.ReentrantLock$");
  }

  record Place(List<StackTraceElement> stack, String lockClass) {
    /** Whether threads at both wait for the same, however far they have got in the JDK's code. */
    private boolean isLike(Place other) {
      return lockClass.equals(other.lockClass) && written().equals(other.written());
    }

    private List<StackTraceElement> written() {
      return stack.stream()
          .dropWhile(
              frame ->
                  frame.getClassName().startsWith("java.")
                      || frame.getClassName().startsWith("jdk."))
          .toList();
    }
  }

  private static final class Since {
    final long begin;
    long last;
    int threads;

    /** What all of them are parked for; 0 if they do not say, or not all for the same. */
    int lock;

    Since(long begin, int lock) {
      this.begin = begin;
      this.lock = lock;
    }
  }

  private final Map<Place, Since> places = new HashMap<>();

  void begin(long now) {
    places.values().removeIf(each -> now - each.last > GAP_NANOS);
  }

  /**
   * A thread waits there.
   *
   * @param lock the identity hash of what it is parked for; 0 if it does not say
   */
  void seen(Place place, int lock, long now) {
    Since since = places.computeIfAbsent(place, same -> new Since(now, lock));
    since.lock = since.lock == lock ? lock : 0;
    since.threads = since.last == now ? since.threads + 1 : 1;
    since.last = now;
  }

  /** A thread that waited there was woken before its time was over. */
  void woken(Place place) {
    places.keySet().removeIf(place::isLike);
  }

  /** Since when somebody has waited there and nobody was woken; empty if nobody waits. */
  Optional<Long> since(Place place) {
    return Optional.ofNullable(places.get(place)).map(since -> since.begin);
  }

  /** What is waited for at a place where somebody waits. */
  Wakings.Door door(Place place) {
    int lock = places.get(place).lock;
    return new Wakings.Door(lock == 0 ? place.stack : List.of(), lock);
  }

  /** All of them, with the number of threads that waited there when they were seen last. */
  Map<Place, Integer> threads() {
    Map<Place, Integer> threads = new HashMap<>();
    places.forEach((place, since) -> threads.put(place, since.threads));
    return threads;
  }
}
