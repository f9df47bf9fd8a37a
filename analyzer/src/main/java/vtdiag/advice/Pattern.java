package vtdiag.advice;

/** A change of design that takes a blocking call off a stack that holds its carrier. */
public enum Pattern {
  FUTURE_IN_MAP(
      "put a CompletableFuture into the map and complete it outside, or use Caffeine's AsyncCache",
      "a lock of yours will not help: the monitor is the map's own"),
  PER_KEY_LOCK(
      "do the slow work under a ReentrantLock of your own for each key, and store the result after",
      "threads of other keys go on, and those of the same key wait without a carrier"),
  ASYNC_CACHE(
      "use Caffeine's AsyncCache (buildAsync): it keeps a future, and loads outside the map",
      "the loader runs while the cache holds the monitor of its map's bin"),
  ONE_FUTURE(
      "keep one CompletableFuture of the value, or compute it once under a ReentrantLock",
      "the supplier runs while the wrapper holds its monitor"),
  OUT_OF_INITIALIZER(
      "move the slow work out of the class initializer, to a start-up step or to a lazy getter"
          + " under a ReentrantLock",
      "the JVM runs initializers in a frame that no JDK can unmount; the holder idiom only moves"
          + " the work to another initializer"),
  WARM_UP_CLASS(
      "load and initialize the class at start, on a platform thread, before requests come"
          + " (Class.forName)",
      "the JVM loads and initializes a class in frames that no JDK can unmount"),
  OUT_OF_NATIVE_CALL(
      "do not block in what native code calls: fetch what it needs before the native call, or run"
          + " the whole call on a platform thread",
      "a native frame pins on every JDK; no lock and no upgrade changes that"),
  WAIT_TO_CONDITION(
      "wait with a Condition of a ReentrantLock, or for a CompletableFuture, in place of"
          + " Object.wait",
      "a thread in Object.wait keeps its carrier before Java 24; the scheduler adds another, up to"
          + " maxPoolSize"),
  BLOCK_OUTSIDE_LOCK(
      "do the blocking call before or after the lock, and hold it for memory only",
      "a lock that is held for no wait holds no carrier, and no other thread up"),
  PLATFORM_EXECUTOR(
      "call it on an executor of platform threads, and wait there for the future",
      "it bounds how many calls block at a time, and those block no carrier");

  private final String text;
  private final String why;

  Pattern(String text, String why) {
    this.text = text;
    this.why = why;
  }

  /** What to do. */
  public String text() {
    return text;
  }

  /** Why that helps. */
  public String why() {
    return why;
  }
}
