package io.github.vtdiag.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.recording.Input;
import io.github.vtdiag.recording.TimeRange;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A foreign function that calls back Java, on stacks without any native frame. */
final class ForeignCallsTest {
  @TempDir Path folder;

  /** On 21 foreign functions are a preview, whose callers no later compiler compiles. */
  private void compile(Jdk jdk) throws Exception {
    Path source = folder.resolve("ForeignSort.java");
    try (InputStream text = getClass().getResourceAsStream("/pipeline/ForeignSort.java")) {
      Files.copy(text, source);
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "--release", "22", "-d", folder.toString(), source.toString()));
    if (jdk == Jdk.JAVA_21) {
      Path compiled = folder.resolve("ForeignSort.class");
      byte[] bytes = Files.readAllBytes(compiled);
      ByteBuffer.wrap(bytes).putShort(6, (short) 65); // the version of Java 21's classes
      Files.write(compiled, bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"JAVA_21,SPEC", "JAVA_25,SPEC", "JAVA_25,NO_SPEC"})
  void isNamedByWhoCalledAndWhoWasCalledBack(Jdk jdk, String stubs) throws Exception {
    compile(jdk);
    boolean specialized = stubs.equals("SPEC");
    Forked run =
        Forked.java(
            jdk,
            folder,
            "--enable-preview",
            "--enable-native-access=ALL-UNNAMED",
            "-Djdk.internal.foreign.DowncallLinker.USE_SPEC=" + specialized,
            "-Djdk.internal.foreign.UpcallLinker.USE_SPEC=" + specialized,
            "-XX:StartFlightRecording=filename=a.jfr,jdk.VirtualThreadPinned#threshold=0ms",
            "-cp",
            folder.toString(),
            "ForeignSort");
    assertEquals("1", run.out().lines().toList().getLast(), run.out() + run.err());
    Path recording = folder.resolve("a.jfr");
    List<Pin> findings =
        new Pipeline(List.of(folder.toString()), Optional.empty())
            .findings(
                List.of(new Input(recording.toString(), List.of(recording))),
                TimeRange.ALL,
                note -> {},
                count -> {})
            .pins();
    Pin finding =
        findings.stream()
            .filter(each -> each.site().kind() == PinKind.NATIVE_FRAME)
            .findFirst()
            .orElseThrow(() -> new AssertionError(findings));
    NativeFrame call = (NativeFrame) finding.cause();
    assertEquals(NativeFrame.Kind.FFM, call.kind());
    assertEquals("ForeignSort.sort", finding.title());
    assertEquals(
        "ForeignSort.compare", call.calledBack().map(Frame::qualifiedMethod).orElseThrow());
  }
}
