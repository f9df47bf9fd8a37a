package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A comparison as the user asks for it.
 *
 * @param arguments what one would write after {@code java}
 * @param jdk the Java home; empty for the usual one
 * @param pairs the number of runs of each side
 * @param coolDownNanos the pause between runs
 * @param recorded whether the agent records both sides
 */
public record PlanRequest(
    List<String> arguments,
    Optional<Path> jdk,
    RequestedChange change,
    RequestedMeasures measures,
    int pairs,
    long coolDownNanos,
    boolean recorded) {

  /** The source of the agent's jar. */
  public interface AgentJar {
    /** Returns the path of its jar, which may have to be extracted first. */
    Path path() throws DataException;
  }

  public PlanRequest {
    arguments = List.copyOf(arguments);
  }

  /**
   * Returns the plan. Checks everything that can be checked before anything runs.
   *
   * @param notes is told what is rewritten beside what was asked for
   * @throws WrongPlanException if the request makes no sense
   * @throws DataException if a file that it names cannot be used
   */
  public Plan plan(AgentJar agentJar, Consumer<String> notes)
      throws WrongPlanException, DataException {
    List<String> changes = change.words();
    if (changes.isEmpty()) {
      throw new WrongPlanException(
          "no change to compare; add --what-if, --jdk-after, --classpath-after or"
              + " --java-options-after");
    }
    if (pairs < 2) {
      throw new WrongPlanException(
          "one pair cannot show how much runs vary; use --pairs 2 or more");
    }
    if (!recorded && change.whatIf().isPresent()) {
      throw new WrongPlanException("--what-if needs the agent; remove --no-record");
    }
    if (!recorded && !measures.count().isEmpty()) {
      throw new WrongPlanException("--count needs the agent; remove --no-record");
    }
    Plan.Source source = measures.source();
    JavaCommand before = new JavaCommand(JavaCommand.launcher(jdk), List.of(), arguments);
    JavaCommand after = change.of(before);
    Optional<String> rewrite = change.rewrite(after, notes);
    Optional<Plan.Agent> agent =
        recorded ? Optional.of(new Plan.Agent(agentJar.path(), rewrite)) : Optional.empty();
    return new Plan(before, after, changes, source, pairs, coolDownNanos, agent);
  }
}
