package io.github.vtdiag.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.AwaitsClasses;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waits for a class that another thread initializes, which JFR calls waits for an int[] on 21. */
final class ClassWaitsTest {
  private static final String NAME = AwaitsClasses.class.getName();

  @TempDir Path folder;

  private Path record(Jdk jdk) throws Exception {
    Path settings = folder.resolve("all.jfc");
    Files.writeString(
        settings,
        List.of("VirtualThreadPinned", "JavaMonitorEnter", "JavaMonitorWait").stream()
            .map(
                event ->
                    """
                    <event name="jdk.%s">
                      <setting name="enabled">true</setting>
                      <setting name="stackTrace">true</setting>
                      <setting name="threshold">0 ms</setting>
                    </event>
                    """
                        .formatted(event))
            .collect(
                Collectors.joining(
                    "",
                    "<configuration version=\"2.0\"><event name=\"jdk.JVMInformation\"><setting"
                        + " name=\"enabled\">true</setting></event>",
                    "</configuration>")));
    Forked run =
        Forked.java(
            jdk,
            folder,
            "-cp",
            classes(),
            "-Djdk.virtualThreadScheduler.parallelism=4",
            "-XX:StartFlightRecording=filename=a.jfr,settings=" + settings,
            NAME);
    assertTrue(run.out().endsWith("done\n"), () -> run.out() + run.err());
    return folder.resolve("a.jfr");
  }

  private static String classes() throws Exception {
    return Path.of(AwaitsClasses.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  private static Findings find(Path recording, List<String> classPath) throws Exception {
    return new Pipeline(classPath, Optional.empty())
        .findings(
            List.of(new Input(recording.toString(), List.of(recording))),
            TimeRange.ALL,
            note -> {},
            count -> {});
  }

  /** The method that waits, and the class that it waits for. */
  private static Set<String> waits(Findings findings) {
    Set<String> waits = new TreeSet<>();
    for (Pin finding : findings.pins()) {
      // The JDK's own classes wait for each other too.
      if (finding.site().kind() == PinKind.AWAITED_INITIALIZATION
          && method(finding).startsWith(NAME)) {
        assertTrue(finding.site().pinsSince24());
        waits.add(
            method(finding).substring(NAME.length() + 1)
                + " "
                + finding.site().className().replace(NAME, ""));
      }
    }
    return waits;
  }

  private static String method(Pin finding) {
    return finding.caller().map(c -> c.frame().qualifiedMethod()).orElseGet(finding::title);
  }

  private static Set<PinKind> kinds(Findings findings, String method) {
    return findings.pins().stream()
        .filter(finding -> finding.title().equals(NAME + "." + method))
        .map(finding -> finding.site().kind())
        .collect(Collectors.toSet());
  }

  @Test
  void theProgramsOwnIntArrayStaysAMonitorOn21() throws Exception {
    Findings findings = find(record(Jdk.JAVA_21), List.of(classes()));
    assertEquals(Set.of(PinKind.MONITOR_ENTRY), kinds(findings, "entered"));
    assertEquals(Set.of(PinKind.OBJECT_WAIT), kinds(findings, "waited"));
  }

  @Test
  void withoutBytesAWaitFor21SClassesIsOneForAnUnknownClass() throws Exception {
    Findings findings = find(record(Jdk.JAVA_21), List.of());
    assertEquals(
        Set.of("called ", "created ", "lambda$computed$0 ", "lambda$named$0 ", "read ", "written "),
        waits(findings).stream()
            .map(wait -> wait.replace("$1 ", "$0 "))
            .collect(Collectors.toSet()));
    assertEquals(Set.of(PinKind.UNEXPLAINED), kinds(findings, "entered"));
    assertEquals(Set.of(PinKind.OBJECT_WAIT), kinds(findings, "waited"));
  }

  @ParameterizedTest
  @EnumSource
  void aWaitNamesTheClassAsFarAsTheBytesOrTheJvmTell(Jdk jdk) throws Exception {
    String computed =
        switch (jdk) {
          case JAVA_21 -> "";
          case JAVA_25 -> "$Computed";
        };
    assertEquals(
        Set.of(
            "called $Called",
            "created $Created",
            "lambda$computed$0 " + computed,
            "lambda$named$0 $Named",
            "read $Read",
            "written $Written"),
        waits(find(record(jdk), List.of(classes()))));
  }
}
