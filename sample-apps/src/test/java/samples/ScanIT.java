package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code vtdiag scan} predicts of the stories, against what pins in them on Java 21. */
class ScanIT {
  private static final List<String> STORIES =
      List.of(
          "caffeineloader",
          "computeifabsent",
          "contendedentry",
          "deepstack",
          "hotlock",
          "nestedmonitors",
          "objectwait",
          "pgjdbc",
          "synchronizedblock",
          "synchronizedmethod");

  @TempDir Path folder;

  @Test
  void monitorsThatPinInTheStoriesAreFoundWithoutRunningThem() throws Exception {
    Path top = Jdks.projectFolder();
    List<String> command =
        CommandLine.command(
            Jdk.JAVA_25,
            List.of(
                "scan",
                top.resolve("sample-apps/target/vtdiag-samples.jar").toString(),
                "--json",
                "--jdk",
                Jdk.JAVA_21.home().toString()));
    for (String entry : new Sample("pgjdbc", "Before").classPath().split(File.pathSeparator, -1)) {
      if (entry.endsWith("*")) {
        command.addAll(List.of("--classpath", entry));
      }
    }
    for (String story : STORIES) {
      Path recording = folder.resolve(story + ".jfr");
      Sample sample = new Sample(story, "Before");
      Sample.Run run =
          sample.run(
              Jdk.JAVA_21,
              sample.classPath(),
              List.of(
                  "-javaagent:" + top.resolve("agent/target/vtdiag.jar") + "=output=" + recording),
              folder);
      assertEquals(0, run.exitCode(), run::errors);
      command.addAll(List.of("--recording", recording.toString()));
    }
    Forked scan = Forked.run(folder, Map.of(), command);
    assertEquals(0, scan.exitCode(), scan.err());

    String json = scan.out();
    int cut = json.indexOf("\"unpredicted\"");
    List<String> missed =
        all("\"class\" : \"([^\"]*)\",\\s+\"method\" : \"([^\"]*)\"", json.substring(cut));
    List<String> found = new ArrayList<>();
    for (String monitor : json.substring(0, cut).split("\"waitsIn\"", -1)) {
      // What was seen stands behind what it waits in, so with the next one's names.
      found.addAll(all("\"pins\" : ([1-9]\\d*)()", monitor));
    }
    assertTrue(found.size() >= STORIES.size(), () -> "too few were seen to pin: " + found.size());
    assertTrue(
        found.size() >= 0.95 * (found.size() + missed.size()),
        () -> "found " + found.size() + ", missed " + missed + "\n" + json.substring(cut));
  }

  /** Those of {@code known-fixes.tsv}: what pinned in runs stands among the first entries. */
  @ParameterizedTest
  @CsvSource({
    "mysql-before/mysql-connector-j-8.0.33.jar, com.mysql.cj.jdbc.StatementImpl.",
    "hsqldb/hsqldb-2.7.4.jar, org.hsqldb.ClientConnection.execute",
    "derby/derbyclient-10.17.1.0.jar, org.apache.derby.client.am.ClientStatement.",
  })
  void theFirstEntriesHoldWhatIsKnownToPin(String jar, String holder) throws Exception {
    Path library = Jdks.projectFolder().resolve("sample-apps/target/libraries").resolve(jar);
    Forked scan =
        Forked.run(
            folder,
            Map.of(),
            CommandLine.command(Jdk.JAVA_25, List.of("scan", library.toString())));
    assertEquals(0, scan.exitCode(), scan.err());
    List<String> titles = all("(?m)^ {1,4}\\d+  (\\S+) +(\\S.*)$", scan.out());
    assertEquals(20, titles.size(), scan.out());
    assertTrue(
        titles.stream().anyMatch(title -> title.startsWith(holder)),
        () -> holder + " is not among " + titles);
  }

  private static List<String> all(String pattern, String text) {
    List<String> all = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    while (matcher.find()) {
      all.add(matcher.group(1) + " " + matcher.group(2));
    }
    return all;
  }
}
