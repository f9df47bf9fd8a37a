package samples.fuzz;

import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Batch after batch, and what came of them. */
final class Fuzzing {
  private static final int PATIENCE_SECONDS = 60;
  private static final int REASONS_SHOWN = 20;

  /** Locks with a feature, those of them that move, and the same for their sites. */
  private record Share(int locks, int moving, long sites, long moved) {
    static final Share NONE = new Share(0, 0, 0, 0);

    Share with(long itsMoved, long itsStay) {
      return new Share(
          locks + 1, moving + (itsMoved > 0 ? 1 : 0), sites + itsMoved + itsStay, moved + itsMoved);
    }

    @Override
    public String toString() {
      return "%,8d, moves in %,8d; %,9d of %,9d sites (%.0f%%)"
          .formatted(locks, moving, moved, sites, 100.0 * moved / Math.max(1, sites));
    }
  }

  private final Path folder;
  private final Path agent;
  private final List<Jdk> jdks;
  private final Path support;
  private final Map<String, Share> shares = new TreeMap<>();
  private final Map<String, Integer> rules = new TreeMap<>();
  private final Map<String, Integer> reasons = new HashMap<>();
  private final Set<Long> failed = new TreeSet<>();
  private final long start = System.nanoTime();
  private Share all = Share.NONE;
  private int programs;
  private int batches;

  Fuzzing(Path folder, Path agent, List<Jdk> jdks) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.agent = agent;
    this.jdks = jdks;
    this.support = copySupport();
  }

  /** The few classes that the programs use, in a root of their own. */
  private Path copySupport() throws IOException {
    Path from;
    try {
      from =
          Path.of(Fuzzing.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .resolve("samples/fuzz/run");
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
    Path root = folder.resolve("support");
    Path to = Files.createDirectories(root.resolve("samples/fuzz/run"));
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            to.resolve(file.getFileName()),
            java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return root;
  }

  /**
   * Runs programs; every fourth batch is a named module.
   *
   * @return what differs, with how to show the smallest program that differs so
   */
  List<String> run(List<Generated> generated, boolean keep)
      throws IOException, InterruptedException {
    boolean isModule = batches % 4 == 3;
    Batch batch = batch(generated, isModule, keep);
    for (Generated program : generated) {
      programs++;
      Patches.Planned planned = batch.planned.get(program.name());
      if (planned != null) {
        all = all.with(planned.moved().size(), planned.stay().size());
        program
            .features()
            .forEach(
                (lock, features) -> {
                  long moved = Patches.Planned.of(lock, planned.moved());
                  long stay = Patches.Planned.of(lock, planned.stay());
                  for (String feature : features) {
                    shares.put(feature, shares.getOrDefault(feature, Share.NONE).with(moved, stay));
                  }
                });
        planned.rules().forEach(rule -> rules.merge(rule, 1, Integer::sum));
        planned.why().forEach(why -> reasons.merge(why.replaceAll("\\d+", "N"), 1, Integer::sum));
      }
    }
    if (batch.differences.isEmpty()) {
      return List.of();
    }
    Set<Generated> differing = new LinkedHashSet<>();
    batch.differences.forEach(difference -> differing.add(difference.program()));
    List<Generated> smaller = new ArrayList<>();
    for (Generated program : differing) {
      failed.add(program.seed());
      for (int kept = 1; kept < program.kept(); kept++) {
        Generated part = Generator.program(program.seed(), "s" + smaller.size(), kept);
        if (part.kept() == kept) {
          smaller.add(part);
        }
      }
    }
    List<Batch.Difference> found = new ArrayList<>(batch.differences);
    if (!smaller.isEmpty()) {
      found.addAll(batch(smaller, isModule, keep).differences);
    }
    List<String> told = new ArrayList<>();
    for (Generated program : differing) {
      List<Batch.Difference> own =
          found.stream().filter(each -> each.program().seed() == program.seed()).toList();
      int least =
          own.stream()
              .map(Batch.Difference::program)
              .min(Comparator.comparingInt(each -> Integer.bitCount(each.kept())))
              .orElseThrow()
              .kept();
      StringBuilder text =
          new StringBuilder("--seed %d --kept %d --show".formatted(program.seed(), least));
      own.stream()
          .filter(each -> each.program().kept() == least)
          .forEach(
              each ->
                  text.append(
                      "\n  %s%s\n    expected %s\n    found    %s"
                          .formatted(
                              each.where(),
                              isModule ? " as a module" : "",
                              each.expected(),
                              each.found())));
      told.add(text.toString());
    }
    return told;
  }

  private Batch batch(List<Generated> generated, boolean isModule, boolean keep)
      throws IOException, InterruptedException {
    Path own = folder.resolve("batch" + batches++);
    Batch batch = new Batch(own, support, agent, isModule, PATIENCE_SECONDS, jdks);
    batch.run(generated);
    if (!keep) {
      Main.delete(own);
    }
    return batch;
  }

  Path support() {
    return support;
  }

  Set<Long> failed() {
    return failed;
  }

  int programs() {
    return programs;
  }

  /** How many sites of all programs move. */
  long moved() {
    return all.moved();
  }

  String line() {
    double seconds = (System.nanoTime() - start) / 1e9;
    return "%,d programs, %d differ, %.1f programs/s"
        .formatted(programs, failed.size(), programs / seconds);
  }

  /** What moved, by feature, and what did not, by rule. */
  String table() {
    StringBuilder text = new StringBuilder();
    text.append("%-26s%s\n".formatted("all", all));
    shares.forEach((feature, share) -> text.append("%-26s%s\n".formatted(feature, share)));
    rules.forEach((rule, sites) -> text.append("%-26s%,7d sites stay\n".formatted(rule, sites)));
    reasons.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(REASONS_SHOWN)
        .forEach(each -> text.append("%,7d  %s\n".formatted(each.getValue(), each.getKey())));
    return text.append(line()).toString();
  }
}
