package io.github.vtdiag.compare;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The plan of a comparison.
 *
 * @param before the application as it is
 * @param after the application with the change
 * @param changes the change in words, as the user wrote it
 * @param source of the figures
 * @param pairs the number of runs of each side; at least two
 * @param coolDownNanos the pause before each run but the first
 * @param agent how the agent takes part; empty if it does not
 */
public record Plan(
    JavaCommand before,
    JavaCommand after,
    List<String> changes,
    Source source,
    int pairs,
    long coolDownNanos,
    Optional<Agent> agent) {

  public Plan {
    changes = List.copyOf(changes);
  }

  /**
   * The agent, which records both sides alike.
   *
   * @param jar vtdiag.jar
   * @param whatIf the value of its option {@code rewrite} on the side with the change; empty for
   *     none
   */
  public record Agent(Path jar, Optional<String> whatIf) {}

  /** The source of the figures: one or more measures, all taken in every run. */
  public sealed interface Source {
    /** Returns the measures' names, without duplicates. */
    List<String> names();

    /**
     * A server that is sent requests, to all targets at the same time.
     *
     * @param load what each target is sent
     * @param startNanos how long it may take until all targets have answered well
     * @param patient whether the user asked for that time: an error status may be temporary then
     * @param warmUpNanos how long requests are sent that are not counted
     * @param durationNanos how long requests are sent that are
     * @param maxErrors the part of a target's requests that may fail, 0 to 1
     */
    record Http(
        List<Target> targets,
        Load load,
        long startNanos,
        boolean patient,
        long warmUpNanos,
        long durationNanos,
        double maxErrors)
        implements Source {

      /** A URL to load. */
      public record Target(String name, URI uri) {}

      public Http {
        targets = List.copyOf(targets);
      }

      @Override
      public List<String> names() {
        return targets.stream().map(Target::name).toList();
      }
    }

    /**
     * A program that ends and prints its number of operations.
     *
     * @param timeoutNanos how long it may take
     */
    record Printed(List<Told> told, long timeoutNanos) implements Source {

      /**
       * The form in which a program prints its operations.
       *
       * @param pattern finds the number, with one group; empty for the usual ways to say it
       */
      public record Told(String name, Optional<Pattern> pattern) {}

      public Printed {
        told = List.copyOf(told);
      }

      @Override
      public List<String> names() {
        return told.stream().map(Told::name).toList();
      }
    }

    /**
     * A program whose calls the agent counts.
     *
     * @param startNanos how long it may take until one of the methods is called
     * @param warmUpNanos how long after that calls do not count
     * @param durationNanos how long after that they do
     */
    record Counted(List<Method> methods, long startNanos, long warmUpNanos, long durationNanos)
        implements Source {

      /** A method, as {@code com.example.Pool#borrow}. */
      public record Method(String name, String method) {}

      public Counted {
        methods = List.copyOf(methods);
      }

      @Override
      public List<String> names() {
        return methods.stream().map(Method::name).toList();
      }
    }
  }
}
