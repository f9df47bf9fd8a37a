package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Ends;
import io.github.vtdiag.agent.programs.Hangs;
import io.github.vtdiag.agent.programs.StopsRecordings;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A folder that collects recordings: whoever takes them away gets complete ones. */
class OutputFolderIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, Class<?> program, String way) throws Exception {
    return run(jdk, List.of(), program, way);
  }

  private Forked run(Jdk jdk, List<String> options, Class<?> program, String way) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(
        List.of(
            Forked.QUICK,
            AgentJar.option("output=out/,onhang=halt:7"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            program.getName(),
            way));
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  private List<Path> files(String end) throws Exception {
    if (!Files.exists(folder.resolve("out"))) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder.resolve("out"))) {
      return all.filter(file -> file.toString().endsWith(end)).toList();
    }
  }

  private static long begins(Path recording) throws Exception {
    return RecordingFile.readAllEvents(recording).stream()
        .filter(event -> event.getEventType().getName().equals(Events.AGENT))
        .count();
  }

  /** Reads each recording as soon as its name is there. */
  private FutureTask<Map<Path, Long>> watcher(AtomicBoolean ended) {
    FutureTask<Map<Path, Long>> watcher =
        new FutureTask<>(
            () -> {
              Map<Path, Long> begins = new HashMap<>();
              boolean last = false;
              while (!last) {
                last = ended.get();
                for (Path file : files(".jfr")) {
                  if (!begins.containsKey(file)) {
                    begins.put(file, begins(file));
                  }
                }
              }
              return begins;
            });
    Thread.ofPlatform().daemon().start(watcher);
    return watcher;
  }

  @ParameterizedTest
  @EnumSource
  void aProgramThatIsKilledLeavesNoFileWithTheName(Jdk jdk) throws Exception {
    for (String way : List.of("halt", "kill")) {
      run(jdk, Ends.class, way);
    }
    assertEquals(List.of(), files(".jfr"));
    assertEquals(2, files(".jfr.part").size());
  }

  @ParameterizedTest
  @EnumSource
  void aFileIsCompleteAsSoonAsItHasItsName(Jdk jdk) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    FutureTask<Map<Path, Long>> watcher = watcher(ended);
    List<String> ways = List.of("return", "exit", "throw", "hook", "term");
    for (String way : ways) {
      Forked run = run(jdk, Ends.class, way);
      assertTrue(run.err().contains(".jfr  next: vtdiag analyze"), run.err());
    }
    assertEquals(7, run(jdk, Hangs.class, "locks").exitCode());
    Forked stopped = run(jdk, StopsRecordings.class, "stop");
    assertEquals("virtual\ngoes on\n", stopped.out());
    assertEquals(7, stopped.exitCode());
    ended.set(true);
    Map<Path, Long> seen = watcher.get();
    assertEquals(ways.size() + 2, seen.size(), seen::toString);
    assertFalse(seen.containsValue(0L), seen::toString);
    assertEquals(List.of(), files(".part"));
  }

  /** A user may stop a recording with the name of another file. */
  @ParameterizedTest
  @EnumSource
  void aFileThatWasNotNeededIsGone(Jdk jdk) throws Exception {
    Forked run = run(jdk, StopsRecordings.class, "elsewhere");
    assertEquals(7, run.exitCode(), run.err());
    assertEquals(List.of(), files(""));
    assertTrue(begins(folder.resolve("elsewhere.jfr")) > 0);
  }
}
