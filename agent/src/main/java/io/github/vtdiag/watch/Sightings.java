package io.github.vtdiag.watch;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.KeptCarrier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Passes waits that the watch saw on to be reported, on a thread of its own. To find the bcis of a
 * stack, class files are read through loaders of the application, which may be slow or hang.
 */
public final class Sightings implements Runnable {
  /** The most sightings at a time; more are dropped, so that the memory is bounded. */
  private static final int ROOM = 2_000;

  /**
   * One sighting of a wait.
   *
   * @param kept the wait, without its stack
   * @param elements the stack
   * @param others the virtual threads that were mounted on other carriers
   */
  record Sighting(KeptCarrier kept, List<StackTraceElement> elements, List<Thread> others) {}

  private final BlockingQueue<Sighting> queue = new ArrayBlockingQueue<>(ROOM);
  private final OutsideStacks stacks;
  private final Consumer<KeptCarrier> sink;
  private volatile boolean working;

  /**
   * @param sink receives each sighting with its stack; one without a number is only for practice
   */
  public Sightings(OutsideStacks.Classes classes, Consumer<KeptCarrier> sink) {
    this.stacks = new OutsideStacks(classes);
    this.sink = sink;
  }

  void add(Sighting sighting) {
    queue.offer(sighting);
  }

  @Override
  public void run() {
    try {
      while (true) {
        Sighting next = queue.take();
        working = true;
        complete(next).ifPresent(sink);
        working = false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<KeptCarrier> complete(Sighting seen) {
    KeptCarrier kept = seen.kept();
    StackTrace stack = stacks.of(seen.elements(), kept.kind());
    Optional<String> type =
        switch (kept.kind()) {
          case CLASS_INITIALIZATION ->
              stacks
                  .initializes(stack)
                  .or(() -> isAnyInitialized(seen.others()) ? Optional.of("") : Optional.empty());
          case PARK, MONITOR_ENTRY, OBJECT_WAIT, NATIVE -> Optional.of(kept.lockClass());
        };
    return type.map(lockClass -> kept.with(stack, lockClass));
  }

  /**
   * Returns whether some thread is in an initializer. If not, a thread that does not move in the
   * JVM itself waits for something else, which is unknown.
   */
  private static boolean isAnyInitialized(List<Thread> carried) {
    return Stream.concat(
            Thread.getAllStackTraces().values().stream(),
            carried.stream().map(Thread::getStackTrace))
        .flatMap(Arrays::stream)
        .anyMatch(element -> element.getMethodName().equals("<clinit>"));
  }

  /** Waits until all sightings so far are reported, but not for long. */
  public void drain(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while ((!queue.isEmpty() || working) && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
