package vtdiag.pipeline;

import java.util.List;
import java.util.Map;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Recorded;
import vtdiag.model.ClassRef;
import vtdiag.model.StackTrace;
import vtdiag.program.Owner;
import vtdiag.recording.RecordingFacts;

/**
 * Findings, and what they were made of: for who draws that.
 *
 * @param parts the recordings, in their order
 */
public record Whole(Findings findings, List<Part> parts) {
  public Whole {
    parts = List.copyOf(parts);
  }

  /**
   * One recording.
   *
   * @param waits the stacks on which threads waited without a carrier, with the time of all of them
   *     together; empty too if nobody looked
   * @param owners whose code the classes on the stacks are; not those of the JDK
   */
  public record Part(
      RecordingFacts facts,
      Recorded recorded,
      Map<StackTrace, Double> waits,
      Map<ClassRef, Owner> owners) {}

  /** The recordings as they are grouped. */
  public List<Recorded> recorded() {
    return parts.stream().map(Part::recorded).toList();
  }
}
