package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code vtdiag demo} shows: the whole way from a running JVM to a verdict. */
class DemoIT {
  private static final int NO_DATA = 4;
  private static final int AGAIN = 5;

  @TempDir Path folder;

  private Forked vtdiag(String... arguments) throws Exception {
    Path top = Jdks.projectFolder();
    List<String> command =
        CommandLine.start(
            Jdk.JAVA_25, "-Dvtdiag.home=" + top, "-Dvtdiag.jdk21=" + Jdk.JAVA_21.home());
    command.addAll(List.of(arguments));
    return Forked.run(folder, Map.of(), command);
  }

  @Test
  void everyPinOfTheRealLibraryIsExplained() throws Exception {
    Forked demo = vtdiag("demo");
    assertEquals(0, demo.exitCode(), demo.err());
    String report = demo.out();
    assertTrue(report.contains("org.postgresql.core.v3.QueryExecutorImpl.execute"), report);
    assertTrue(report.contains("synchronized method, lock: this"), report);
    assertTrue(report.contains("waits in: socket read"), report);
    assertTrue(report.contains("> upgrade org.postgresql:postgresql 42.5.4 to 42.6.0"), report);
    // A slow machine may show that a thread waited for a class of the JDK's, too.
    assertTrue(
        report.matches(
            "(?s).*  To free all (of it|but \\d+ ms of it): follow 1\\b.*Java 25\\.0\\.4 or"
                + " later.*"),
        report);
    String recording = Jdks.projectFolder().resolve("sample-apps/target/pgjdbc.jfr").toString();
    String full = vtdiag("analyze", recording, "-v").out();
    assertTrue(full.contains("known from: exact monitors seen"), full);
    assertFalse(full.contains("not explained"), full);
    assertFalse(full.contains("line only"), full);
  }

  /** Its sources are at hand, so it is told what to do about its own lock. */
  @Test
  void aStoryOfTheProgramsOwnLockEndsInARewrite() throws Exception {
    Forked demo = vtdiag("demo", "synchronizedmethod");
    assertEquals(0, demo.exitCode(), demo.err());
    assertTrue(demo.out().contains("samples.synchronizedmethod.Before$Client.ask"), demo.out());
    assertTrue(demo.out().contains("> replace"), demo.out());
    assertFalse(demo.out().contains("no fixed version"), demo.out());
  }

  @Test
  void theRecordingOfAStoryFailsAGateThatForbidsItsPins() throws Exception {
    Path recording = folder.resolve("a.jfr");
    Forked pass = recorded(recording);
    // Where the machine is busy, the watch may have had no processor for a while, which is no
    // proof.
    for (int again = 0; again < AGAIN && pass.exitCode() == NO_DATA; again++) {
      pass = recorded(recording);
    }
    assertEquals(0, pass.exitCode(), pass.out() + pass.err());
    Forked fail = vtdiag("gate", recording.toString(), "--max-pin", "5ms");
    assertEquals(1, fail.exitCode(), fail.out() + fail.err());
    assertTrue(fail.out().startsWith("FAIL"), fail.out());
    assertTrue(fail.out().contains("samples.synchronizedmethod.Before"), fail.out());
  }

  /** What a gate that allows such pins says of a recording of the story. */
  private Forked recorded(Path recording) throws Exception {
    Files.deleteIfExists(recording);
    Forked run =
        Forked.java(
            Jdk.JAVA_21,
            folder,
            Forked.QUICK,
            "-javaagent:"
                + Jdks.projectFolder().resolve("agent/target/vtdiag.jar")
                + "=output="
                + recording,
            "-cp",
            Sample.classPathWithoutDriver(),
            "samples.synchronizedmethod.Before",
            "--seconds",
            "0.5");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(Files.size(recording) > 0);
    return vtdiag("gate", recording.toString(), "--max-pin", "1m");
  }
}
