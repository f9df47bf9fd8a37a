package io.github.vtdiag.pipeline;

import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.recording.RecordingFacts;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Findings, and the data they were made of, for charts.
 *
 * @param parts the recordings, in their order
 * @param classesOnStacks the names of the classes on the stacks of virtual threads
 */
public record AnalyzedRun(Findings findings, List<Part> parts, Set<String> classesOnStacks) {
  public AnalyzedRun {
    classesOnStacks = Set.copyOf(classesOnStacks);
    parts = List.copyOf(parts);
  }

  /**
   * One recording.
   *
   * @param waits the stacks on which threads waited without a carrier, with the time of all of them
   *     together; empty too if waits were not sampled
   * @param owners the owners of the classes on the stacks; not those of the JDK
   */
  public record Part(
      RecordingFacts facts,
      Recorded recorded,
      Map<StackTrace, Double> waits,
      Map<ClassRef, Owner> owners) {}

  /** Returns the recordings as they are grouped. */
  public List<Recorded> recorded() {
    return parts.stream().map(Part::recorded).toList();
  }
}
