package io.github.vtdiag.dump;

import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.dump.PrintedCarriers.Carrier;
import io.github.vtdiag.hang.DumpFault;
import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides whether a JVM can safely dump its virtual threads. In a JVM with {@link DumpFault},
 * threads that wake each other crash it within a few dumps. So the carriers are watched first, by
 * {@code Thread.print}, which stops all threads.
 */
final class DumpRisk {
  private static final int LOOKS = 3;
  private static final Duration BETWEEN = Duration.ofMillis(50);

  private static final Pattern WORKER =
      Pattern.compile("^\"(ForkJoinPool-\\d+)-worker-", Pattern.MULTILINE);

  private DumpRisk() {}

  /**
   * Dumps all threads as JSON, if that cannot crash the JVM.
   *
   * @param noCarriers whether nothing is known to carry virtual threads
   */
  static void dump(long pid, RunningJvm jvm, String version, boolean noCarriers, Path file)
      throws DataException {
    if (!noCarriers && DumpFault.isIn(SnapshotPair.feature(version)) && isMoving(jvm)) {
      throw new DataException(
          "process "
              + pid
              + " runs Java "
              + version
              + ", where a thread dump can crash the JVM while virtual threads run (JDK-8364343,"
              + " fixed in 26), and they do; vtdiag hang --inside "
              + pid
              + " reads them without that risk"
              + jvm.toldHangs().stream()
                  .map(hang -> "; vtdiag's agent in it says: " + hang.statement())
                  .collect(Collectors.joining()));
    }
    jvm.dumpThreads(file);
  }

  private static boolean isMoving(RunningJvm jvm) throws DataException {
    Set<String> schedulers = new HashSet<>();
    Map<Long, Carrier> before = Map.of();
    for (int look = 0; look < LOOKS; look++) {
      if (look > 0) {
        pause();
      }
      Map<Long, Carrier> now = carriers(jvm.ask("Thread.print"), schedulers);
      if (look > 0 && haveMoved(before, now)) {
        return true;
      }
      before = now;
    }
    return false;
  }

  private static void pause() throws DataException {
    try {
      Thread.sleep(BETWEEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException("interrupted", e);
    }
  }

  /**
   * Reads the carriers of every pool that may be the scheduler: between two tasks none of them
   * carries anything.
   */
  private static Map<Long, Carrier> carriers(String printed, Set<String> schedulers) {
    WORKER.matcher(printed).results().map(pool -> pool.group(1)).forEach(schedulers::add);
    Map<Long, Carrier> found = new HashMap<>();
    PrintedCarriers.read(printed, schedulers).forEach(each -> found.put(each.id(), each));
    return found;
  }

  /** Returns whether some carrier ran and did not keep the thread that it carried. */
  static boolean haveMoved(Map<Long, Carrier> before, Map<Long, Carrier> now) {
    return now.values().stream()
        .anyMatch(
            carrier ->
                !before.containsKey(carrier.id()) || hasMoved(before.get(carrier.id()), carrier));
  }

  private static boolean hasMoved(Carrier before, Carrier now) {
    boolean ran = now.cpuNanos() - before.cpuNanos() >= DumpFault.IDLE_NANOS;
    boolean kept = now.carried().isPresent() && now.carried().equals(before.carried());
    return ran && !kept;
  }
}
