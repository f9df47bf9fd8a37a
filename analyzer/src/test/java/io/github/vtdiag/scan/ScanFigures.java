package io.github.vtdiag.scan;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.program.ClassBytes;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a scan takes, and what reading all classes for their lock maps takes; docs/report.md says
 * how to run it. Each in a JVM of its own: {@code maps} or {@code scan}, then a class path.
 */
public final class ScanFigures {
  private ScanFigures() {}

  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    int classes = args[0].equals("maps") ? maps(args[1]) : scan(args[1]);
    long wall = System.nanoTime() - start;
    long cpu =
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
    System.out.println(
        args[0]
            + ": "
            + classes
            + " classes, "
            + TimeUnit.NANOSECONDS.toMillis(wall)
            + " ms, the whole process "
            + TimeUnit.NANOSECONDS.toMillis(cpu)
            + " ms of CPU");
  }

  private static int maps(String classPath) throws Exception {
    int classes = 0;
    try (ClassPathBytes bytes = ClassPathBytes.open(List.of(classPath), 21)) {
      for (ClassBytes each : bytes.all()) {
        try {
          LockMaps.read(
              each.bytes(),
              new ClassRef("any", ""),
              each.location(),
              ClassMonitors.Evidence.CLASS_PATH);
        } catch (IllegalArgumentException e) {
          continue; // No class: neither reading takes it.
        }
        classes++;
      }
    }
    return classes;
  }

  private static int scan(String classPath) throws Exception {
    try (Program program =
        Program.readWithCalls(ClassPathBytes.open(List.of(classPath), 21), JdkClasses.running())) {
      return MonitorScanner.scan(program).classes();
    }
  }
}
