package io.github.vtdiag.agent.threads;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The places where threads wait with a timeout again and again, and none is woken. An example is an
 * exhausted pool: requests for an object fail one after the other, and none of them waits for long.
 */
public final class TimedPlaces {
  /**
   * The longest gap between two waits at a place: the threads may all try again at the same time.
   */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Returns whether the next owner of this lock is not noted; false for null. */
  public static boolean isHandedOver(Object lock) {
    return lock != null
        && lock.getClass().getName().startsWith("java.util.concurrent.locks.ReentrantLock$");
  }

  public record Place(List<StackTraceElement> stack, String lockClass) {
    /** Returns whether threads at both wait for the same, at whatever frame of the JDK's code. */
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

    /** The number of them at the sample before. */
    int before;

    /** The identity hash of what all of them are parked for; 0 if they do not say or it differs. */
    int lock;

    Since(long begin, int lock) {
      this.begin = begin;
      this.lock = lock;
    }
  }

  private final Map<Place, Since> places = new HashMap<>();

  /** The time of the last sample. */
  private long looked;

  /** Begins a sample. */
  public void begin(long now) {
    // On a busy machine there may be no sample for longer than the gap.
    places.values().removeIf(each -> each.last < looked && now - each.last > GAP_NANOS);
    looked = now;
  }

  /**
   * Records that a thread waits there.
   *
   * @param lock the identity hash of what it is parked for; 0 if it does not say
   */
  public void seen(Place place, int lock, long now) {
    Since since = places.computeIfAbsent(place, same -> new Since(now, lock));
    since.lock = since.lock == lock ? lock : 0;
    if (since.last != now) {
      since.before = since.threads;
      since.threads = 0;
    }
    since.threads++;
    since.last = now;
  }

  /** Records that a thread that waited there was woken before its timeout expired. */
  public void woken(Place place) {
    places.keySet().removeIf(place::isLike);
  }

  /** Returns since when threads have waited there and none was woken; empty if no thread waits. */
  public Optional<Long> since(Place place) {
    return Optional.ofNullable(places.get(place)).map(since -> since.begin);
  }

  /** Returns the door at a place where a thread waits. */
  public Wakings.Door door(Place place) {
    int lock = places.get(place).lock;
    return new Wakings.Door(lock == 0 ? place.stack : List.of(), lock);
  }

  /**
   * Returns all places, each with the number of threads that waited there when last seen, or a
   * sample before: some of them may just be between two waits.
   */
  public Map<Place, Integer> threads() {
    Map<Place, Integer> threads = new HashMap<>();
    places.forEach((place, since) -> threads.put(place, Math.max(since.before, since.threads)));
    return threads;
  }
}
