package io.github.vtdiag.dump;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JVM's description of itself.
 *
 * @param properties its system properties, as far as they are needed
 * @param scheduler the text of {@code Thread.vthread_scheduler}, which Java 21 does not have
 */
public record Jvm(Properties properties, String scheduler) {
  private static final String PREFIX = "jdk.virtualThreadScheduler.";

  /** The properties that are needed; the others may hold secrets. */
  public static final List<String> NEEDED =
      List.of(
          PREFIX + "parallelism",
          PREFIX + "maxPoolSize",
          "jdk.trackAllThreads",
          "java.version",
          "java.vm.version",
          "java.home",
          "java.class.path",
          "user.dir");

  /** Nothing is known. */
  public static final Jvm NOT_KNOWN = new Jvm(new Properties(), "");

  String property(String name) {
    return properties.getProperty(name, "");
  }

  /** Returns the scheduler's target number of carriers, if it says so. */
  public OptionalInt parallelism() {
    Optional<String> told = told("parallelism");
    return told.isPresent() ? number(told.get()) : number(property(PREFIX + "parallelism"));
  }

  OptionalInt carriers() {
    return told("size").map(Jvm::number).orElse(OptionalInt.empty());
  }

  /** Returns the number of virtual threads in the scheduler's queues. */
  public OptionalLong queued() {
    OptionalInt tasks = told("tasks").map(Jvm::number).orElse(OptionalInt.empty());
    OptionalInt submissions = told("submissions").map(Jvm::number).orElse(OptionalInt.empty());
    return tasks.isEmpty() && submissions.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of((long) tasks.orElse(0) + submissions.orElse(0));
  }

  /** Returns whether dumps leave out threads that no executor started. */
  boolean dumpsLackThreads() {
    String track = property("jdk.trackAllThreads");
    return !track.isEmpty() && !track.equalsIgnoreCase("true");
  }

  /** Reads {@code ForkJoinPool@1b2c[Running, parallelism = 2, size = 2, ...]}. */
  private Optional<String> told(String name) {
    Matcher matcher = Pattern.compile("[\\[ ]" + name + " = (\\d+)").matcher(scheduler);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static OptionalInt number(String text) {
    try {
      return OptionalInt.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }
}
