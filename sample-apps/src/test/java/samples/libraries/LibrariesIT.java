package samples.libraries;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real libraries, before and after: the first entry of what vtdiag says is the one that a reader
 * needs, and after the change it is gone.
 */
@Order(3)
class LibrariesIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Kinds of site at which a class is loaded or initialized. */
  private static final Set<String> CLASS_USE =
      Set.of("CLASS_LOADING", "CLASS_INITIALIZER", "AWAITED_INITIALIZATION");

  /** The first of the numbered entries, up to the second or to the line that ends them. */
  private static final Pattern FIRST_ENTRY =
      Pattern.compile("(?ms)^ +1 {2,}\\S.*?(?=^ +2 {2,}\\S|^ {2}\\S|\\z)");

  private static final int AGAIN = 3;

  @TempDir Path folder;

  /** Of each kind of library, and of each way out, one at least. */
  private static final Set<Class<?>> DECISIVE =
      Set.of(
          H2.class, // a driver that is fixed
          Dbcp2.class, // a pool that is fixed
          HttpClient5.class,
          CaffeineCache.class, // other calls of the same version
          GuavaCache.class,
          Hsqldb.class, // a driver that only a newer Java frees
          Hikari.class, // a pool that only a newer Java frees
          Kafka.class,
          Log4j.class,
          Mail.class);

  private static Stream<Library> libraries(boolean decisive) {
    return Library.all().stream()
        .filter(library -> DECISIVE.contains(library.program()) == decisive);
  }

  static Stream<Library> decisive() {
    return libraries(true);
  }

  static Stream<Library> others() {
    return libraries(false);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisive")
  void theFirstEntryIsTheAnswer(Library library) throws Exception {
    assertAnswered(library);
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void theFirstEntryIsTheAnswerOfTheOthersToo(Library library) throws Exception {
    assertAnswered(library);
  }

  private void assertAnswered(Library library) throws Exception {
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      Future<Path> before = both.submit(record(library.before(), "before.jfr"));
      Future<Path> after = both.submit(record(library.comparison(), "after.jfr"));
      Path recording = before.get();
      // Where the machine is busy, another wait may have been the longest, once or twice.
      for (int again = 0;
          again < AGAIN && !holds(library.holder(), json(recording).path("findings").path(0));
          again++) {
        recording = record(library.before(), "again" + again + ".jfr").call();
      }
      String text = vtdiag("advise", recording.toString());
      JsonNode answer = json(recording);
      JsonNode compared = json(after.get());
      assertAll(
          library.toString(),
          () -> holdsMost(library.holder(), answer.path("findings").path(0)),
          () -> saysFirst(library, text),
          () -> assertGone(library, compared));
    }
  }

  private static void holdsMost(String holder, JsonNode first) {
    String sites = String.join(", ", sites(first));
    assertTrue(holds(holder, first), () -> "first is " + sites + ", not " + holder);
    double share = first.path("cost").path("shareOfPinned").asDouble();
    // Where all want one lock, those who wait to enter it are a finding of their own.
    assertTrue(share > 0.25, () -> holder + " takes only " + share + " of the pinned time");
  }

  private static void saysFirst(Library library, String text) {
    Matcher entry = FIRST_ENTRY.matcher(text);
    assertTrue(entry.find(), text);
    String first = entry.group().replaceAll("\\s+", " ");
    assertTrue(
        first.toLowerCase(Locale.ROOT).contains(library.advice().toLowerCase(Locale.ROOT)),
        () -> "no '" + library.advice() + "' in the first entry of\n" + text);
    assertTrue(
        first.contains(library.holder()),
        () -> "no '" + library.holder() + "' in the first entry of\n" + text);
  }

  private static void assertGone(Library library, JsonNode after) {
    List<String> left =
        findings(after)
            // Whoever loads a class for the first time waits, with every version.
            .filter(finding -> !CLASS_USE.contains(finding.path("site").path("kind").asText()))
            .filter(finding -> holds(library.holder(), finding))
            .filter(
                finding ->
                    switch (library.after()) {
                      case Library.After.Fixed fixed -> true;
                      // The map is still held for a moment, in which a class may be loaded.
                      case Library.After.Changed changed -> isUsual(finding);
                      // The JVM pins a thread there while it links a class that the thread uses.
                      case Library.After.NewerJava java -> isUsual(finding);
                    })
            .map(JsonNode::toPrettyString)
            .toList();
    assertEquals(List.of(), left);
  }

  private static boolean isUsual(JsonNode finding) {
    return finding.path("cost").path("count").asInt() > Calls.THREADS / 4;
  }

  private Callable<Path> record(Library.Run run, String name) {
    Path recording = folder.resolve(name);
    return () -> {
      Path jars = TARGET.resolve("libraries").resolve(run.folder());
      assertTrue(Files.isDirectory(jars), () -> "no folder " + jars);
      Forked program =
          Forked.java(
              run.jdk(),
              folder,
              Forked.QUICK,
              "-XX:+UseSerialGC",
              "-javaagent:"
                  + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
                  + "=output="
                  + recording,
              "-Djdk.virtualThreadScheduler.parallelism=2",
              "-Djdk.virtualThreadScheduler.maxPoolSize=2",
              "-cp",
              String.join(
                  File.pathSeparator,
                  TARGET.resolve("test-classes").toString(),
                  TARGET.resolve("vtdiag-samples.jar").toString(),
                  jars.resolve("*").toString()),
              run.program().getName());
      assertEquals(0, program.exitCode(), program.err());
      assertTrue(program.out().startsWith(Calls.THREADS + " calls, "), program.out());
      return recording;
    };
  }

  private JsonNode json(Path recording) throws Exception {
    return new JsonMapper().readTree(vtdiag("advise", "--json", recording.toString()));
  }

  private String vtdiag(String... arguments) throws Exception {
    Forked run = WarmCommandLine.run(Jdk.JAVA_25, arguments);
    assertEquals(0, run.exitCode(), run.err());
    assertFalse(run.out().isBlank());
    return run.out();
  }

  private static Stream<JsonNode> findings(JsonNode answer) {
    return StreamSupport.stream(answer.path("findings").spliterator(), false);
  }

  /** Whether it is what the finding is named by, or is held besides. */
  private static boolean holds(String holder, JsonNode finding) {
    return sites(finding).stream().anyMatch(site -> site.endsWith("." + holder));
  }

  private static List<String> sites(JsonNode finding) {
    List<String> sites = new ArrayList<>();
    sites.add(finding.path("title").asText());
    finding
        .path("alsoHeld")
        .forEach(
            also -> {
              JsonNode site = also.path("site");
              sites.add(site.path("class").asText() + "." + site.path("method").asText());
            });
    return sites;
  }
}
