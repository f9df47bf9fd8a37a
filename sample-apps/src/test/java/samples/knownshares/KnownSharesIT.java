package samples.knownshares;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.testing.WarmCommandLine;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is said of a program that knows what it did. Its times are by the clock, so a machine that
 * is busy changes both alike.
 */
class KnownSharesIT {
  /** In points; over so short a time that chance is well inside. */
  private static final double FAR = 10;

  private static final Pattern SHARE =
      Pattern.compile("\"use\" : \"(\\w+)\",\\s+\"nanos\" : (\\d+)");

  @TempDir Path folder;

  /** Its shares in percent of all carrier time, and those that it really had. */
  private record Told(Map<String, Double> said, Map<String, Double> real, String report) {}

  private Told told(Jdk jdk, String recorder, String carriers, String shares) throws Exception {
    Path recording = folder.resolve("a.jfr");
    String record =
        recorder.equals("agent")
            ? "-javaagent:"
                + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
                + "=summary=off,warn=off,output="
                + recording
            : "-XX:StartFlightRecording:settings=" + recorder + ",filename=" + recording;
    Path target = Jdks.projectFolder().resolve("sample-apps/target");
    Forked run =
        Forked.java(
            jdk,
            folder,
            record,
            "-Xlog:jfr*=off",
            "-Dseconds=4",
            "-Dcarriers=" + carriers,
            "-Dshares=" + shares,
            "-cp",
            target.resolve("vtdiag-samples.jar")
                + File.pathSeparator
                + target.resolve("lib")
                + File.separator
                + "*",
            KnownShares.class.getName());
    assertEquals(0, run.exitCode(), run.err());
    Map<String, String> values = new HashMap<>();
    Matcher value = Pattern.compile("(\\w+)=(\\S+)").matcher(run.out());
    while (value.find()) {
      values.put(value.group(1), value.group(2));
    }
    String report =
        analyzed(recording, "--json", "--from", values.get("from"), "--to", values.get("to"));
    Map<String, Double> said = new HashMap<>();
    Map<String, Double> real = new HashMap<>();
    double capacity = number("capacityNanos\" : (\\d+)", report);
    Matcher share = SHARE.matcher(report);
    while (share.find()) {
      said.put(share.group(1), 100 * Double.parseDouble(share.group(2)) / capacity);
    }
    for (String use : List.of("java", "native", "file", "pinned", "idle")) {
      real.put(
          use.toUpperCase(Locale.ROOT),
          100 * Double.parseDouble(values.get(use)) / Double.parseDouble(values.get("capacity")));
    }
    return new Told(said, real, report);
  }

  private static double number(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), text);
    return Double.parseDouble(matcher.group(1));
  }

  /** Few carriers on one JDK and many on the other. */
  static Stream<Arguments> shares() {
    return Stream.of(Arguments.of("2", "30,20,10,25"), Arguments.of("16", "3,2,1,30"))
        .flatMap(
            each ->
                EitherJdk.Choice.of((String) each.get()[0])
                    .map(jdk -> Arguments.of(jdk, each.get()[0], each.get()[1])));
  }

  @ParameterizedTest
  @MethodSource("shares")
  void theAgentTellsWhatItDid(Jdk jdk, String carriers, String shares) throws Exception {
    Told told = told(jdk, "agent", carriers, shares);
    // A machine that gives the watch no processor for a while leaves a part unseen.
    double unknown = told.said().get("UNKNOWN");
    told.real()
        .forEach(
            (use, real) -> {
              double said = told.said().get(use);
              assertTrue(
                  said - FAR <= real && real <= said + unknown + FAR, use + " " + told.report());
            });
  }

  /** What it cannot tell is not known, and never idle. */
  @ParameterizedTest
  @EitherJdk
  void plainJfrTellsAPartAndSaysSo(Jdk jdk) throws Exception {
    Told told = told(jdk, "profile", "2", "30,20,10,25");
    assertEquals(0, told.said().get("IDLE"));
    assertTrue(told.said().get("UNKNOWN") > 0, told.report());
    assertTrue(told.said().get("PINNED") > 0, told.report());
    told.real()
        .forEach(
            (use, real) ->
                assertTrue(told.said().get(use) <= real + FAR, use + " " + told.report()));
    assertTrue(told.report().contains("\"missing\" : [ \"WATCH\""), told.report());
    assertFalse(told.report().contains("\"kind\" : \"NOTHING_TO_CHANGE\""), told.report());
  }

  private String analyzed(Path recording, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("analyze", recording.toString()));
    command.addAll(List.of(arguments));
    Forked run = WarmCommandLine.run(Jdk.JAVA_25, command.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.err());
    return run.out();
  }
}
