package samples.fuzz;

import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs the differential fuzzer for as long as one likes. */
public final class Main {
  private Main() {}

  /**
   * Options: {@code --programs N --seed S}, the first seed; {@code --batch N} programs at a time;
   * {@code --agent JAR}; {@code --kept BITS}, some of the locks of each; {@code --keep FOLDER},
   * which nothing is deleted from; {@code --show} prints the first program and runs none.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> options = Arrays.asList(arguments);
    long programs = Long.parseLong(value(options, "--programs", "100"));
    long seed = Long.parseLong(value(options, "--seed", "" + System.currentTimeMillis()));
    int size = Integer.parseInt(value(options, "--batch", "100"));
    int kept = Integer.parseInt(value(options, "--kept", "7"));
    Path agent =
        Path.of(
            value(
                options,
                "--agent",
                Jdks.projectFolder().resolve("agent/target/vtdiag.jar").toString()));
    if (options.contains("--show")) {
      Generator.program(seed, "p", kept).sources().values().forEach(System.out::println);
      return;
    }
    Path folder = Path.of(value(options, "--keep", Files.createTempDirectory("fuzz").toString()));
    Fuzzing fuzzing = new Fuzzing(folder, agent, List.of(Jdk.values()));
    System.out.println("seed " + seed);
    for (long done = 0; done < programs; done += size) {
      List<Generated> batch = new ArrayList<>();
      for (int i = 0; i < Math.min(size, programs - done); i++) {
        batch.add(Generator.program(seed + done + i, "p" + i, kept));
      }
      fuzzing.run(batch, options.contains("--keep")).forEach(System.out::println);
      System.out.println(fuzzing.line());
    }
    System.out.println(fuzzing.table());
    System.exit(fuzzing.failed().isEmpty() ? 0 : 1);
  }

  private static String value(List<String> options, String name, String otherwise) {
    int at = options.indexOf(name);
    return at < 0 ? otherwise : options.get(at + 1);
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
