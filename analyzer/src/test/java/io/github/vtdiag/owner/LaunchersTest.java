package io.github.vtdiag.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.Launch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchersTest {
  @ParameterizedTest
  @CsvSource({
    "true,app.jar server conf.yml",
    "true,/opt/shop/quarkus-run.jar",
    "true,com.example.Main 8",
    "true,''",
    "false,/build/target/surefire/surefirebooter-20261128135803813_3.jar /build 2026 jvmRun1"
        + " a_4tmp",
    "false,org.apache.maven.surefire.booter.ForkedBooter /build 2026 jvmRun1 a_4tmp",
    "false,worker.org.gradle.process.internal.worker.GradleWorkerMain Test Executor 1",
    "false,com.intellij.rt.junit.JUnitStarter -ideVersion5",
    "false,org.eclipse.jdt.internal.junit.runner.RemoteTestRunner -port 1"
  })
  void whatABuildStartsForTestsCannotBeRepeated(boolean repeated, String command) {
    assertEquals(repeated, Launchers.canBeRepeated(Launch.of(command)));
  }
}
