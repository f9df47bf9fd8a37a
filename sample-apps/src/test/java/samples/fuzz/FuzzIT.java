package samples.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that nobody wrote do the same with monitors, under the what-if and patched. */
class FuzzIT {
  private static final int NEW = 40;

  /** Always the same: longer runs still find what differs, and a build must not fail by chance. */
  private static final long FIRST = 29_409;

  /**
   * Seeds of what differed once: a loop as the first statement, references to notifyAll and
   * holdsLock, a registry in a constructor, an instance made without one, a default
   * serialVersionUID, blocks that lock one of two objects, interfaces, native methods, class
   * objects that come from a call, recursion through an interface until the stack overflows.
   */
  private static final List<Long> ONCE_FAILED =
      List.of(
          31L,
          119L,
          58L,
          213L,
          540L,
          439L,
          1256L,
          1168L,
          17L,
          905L,
          118L,
          29793L,
          30162L,
          31293L,
          31419L,
          32440L,
          204935L,
          70974L,
          1_000_076L);

  @TempDir Path folder;

  private static Path agent() {
    return Jdks.projectFolder().resolve("agent/target/vtdiag.jar");
  }

  private List<Generated> programs(List<Long> seeds) {
    List<Generated> programs = new ArrayList<>();
    seeds.forEach(seed -> programs.add(Generator.program(seed, "p" + programs.size())));
    return programs;
  }

  @Test
  void programsDoTheSameWithLocks() throws Exception {
    List<Long> seeds = new ArrayList<>(ONCE_FAILED);
    for (int i = 0; i < NEW; i++) {
      seeds.add(FIRST + i);
    }
    Fuzzing fuzzing = new Fuzzing(folder, agent(), List.of(Jdk.values()));
    List<String> differences = fuzzing.run(programs(seeds), false);
    System.out.println("fuzzed from seed " + FIRST + "\n" + fuzzing.table());
    assertEquals(List.of(), differences, () -> "seeds " + fuzzing.failed());
    assertTrue(fuzzing.moved() > NEW, "almost nothing moves, so almost nothing is tested");
  }

  /** What is compared can differ: a lock that is missing in one variant tears its counter. */
  @Test
  void aMissingLockIsFound() throws Exception {
    Generated whole = Generator.program(4, "p0");
    Map<String, String> torn = new java.util.LinkedHashMap<>(whole.sources());
    torn.replaceAll(
        (file, text) ->
            text.replaceAll("synchronized \\(.*\\) \\{", "{").replace("synchronized ", ""));
    assertNotEquals(whole.sources(), torn);
    Batch batch =
        new Batch(
            folder.resolve("batch"),
            new Fuzzing(folder, agent(), List.of()).support(),
            agent(),
            false,
            60,
            List.of(Jdk.JAVA_25));
    batch.run(List.of(new Generated("p0", 4, 7, torn, Map.of())));
    assertTrue(batch.differences.getFirst().found().contains("TORN"), "" + batch.differences);
  }
}
