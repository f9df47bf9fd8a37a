package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProgramEndTest {
  private static final String LATCH = "java.util.concurrent.CountDownLatch.await";

  private static List<StackTraceElement> stack(String... methods) {
    return Stream.of(methods)
        .map(
            method -> {
              int dot = method.lastIndexOf('.');
              return new StackTraceElement(
                  method.substring(0, dot), method.substring(dot + 1), "Any", 1);
            })
        .toList();
  }

  @Test
  void aLauncherOrALibraryItselfRunsNoTask() {
    assertFalse(
        ProgramEnd.isOfPool(
            stack(LATCH, "app.Server.main", "org.springframework.boot.loader.JarLauncher.main")));
    assertFalse(
        ProgramEnd.isOfPool(
            stack(LATCH, "org.quartz.Pool$Worker.await", "org.quartz.Pool$Worker.run")));
    assertFalse(ProgramEnd.isOfPool(stack(LATCH, "app.Server.run", "java.lang.Thread.run")));
  }

  @Test
  void aThreadOfALibraryRunsTheApplicationAsATask() {
    assertTrue(
        ProgramEnd.isOfPool(
            stack(
                LATCH,
                "app.Report.execute",
                "org.quartz.core.JobRunShell.run",
                "org.quartz.simpl.SimpleThreadPool$WorkerThread.run")));
    assertTrue(
        ProgramEnd.isOfPool(
            stack(
                LATCH,
                "app.Report.call",
                "java.util.concurrent.FutureTask.run",
                "java.util.concurrent.ThreadPoolExecutor.runWorker",
                "java.lang.Thread.run")));
  }
}
