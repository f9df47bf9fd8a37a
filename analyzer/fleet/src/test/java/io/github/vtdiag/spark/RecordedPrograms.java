package io.github.vtdiag.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.testing.Jdks;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Recordings of programs with the agent, made on the spot in a folder. */
record RecordedPrograms(Path folder) {
  private static final int HALTED = 7;

  /** What must be in no byte of a lake. */
  static final String SECRET = "hunter2";

  /** Records a program that pins on Java 21. */
  byte[] serves(Jdk jdk, String service, String pod) throws Exception {
    return bytes(0, jdk, service, pod, "cli.programs.Serves");
  }

  /** Records a program that the agent ends because of a deadlock. */
  byte[] hangs(Jdk jdk, String service, String pod) throws Exception {
    return bytes(HALTED, jdk, service, pod, "agent.programs.Hangs", "locks");
  }

  private byte[] bytes(int code, Jdk jdk, String service, String pod, String... program)
      throws Exception {
    Path top = Jdks.projectFolder();
    List<String> command =
        new ArrayList<>(
            List.of(
                jdk.java().toString(),
                Forked.QUICK,
                Forked.PATIENT,
                "-Djdk.virtualThreadScheduler.parallelism=2",
                "-Djdk.virtualThreadScheduler.maxPoolSize=2",
                "-Ddb.password=" + SECRET,
                "-javaagent:%s=output=%s.jfr,warn=off,onhang=halt:%d"
                    .formatted(top.resolve("agent/target/vtdiag.jar"), pod, HALTED),
                "-cp",
                top.resolve("analyzer/target/test-classes")
                    + File.pathSeparator
                    + top.resolve("agent/target/test-classes"),
                "io.github.vtdiag." + program[0]));
    command.addAll(Arrays.asList(program).subList(1, program.length));
    Forked run =
        Forked.run(
            folder,
            Map.of(
                "DB_PASSWORD",
                SECRET,
                "OTEL_SERVICE_NAME",
                service,
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.version=1.10,k8s.pod.name=" + pod),
            command);
    assertEquals(code, run.exitCode(), run.err());
    return Files.readAllBytes(folder.resolve(pod + ".jfr"));
  }
}
