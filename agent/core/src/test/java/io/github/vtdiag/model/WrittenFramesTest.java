package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.MadeFrames;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WrittenFramesTest {
  private static Optional<String> innermost(String... methods) {
    return WrittenFrames.innermost(MadeFrames.of(methods)).map(Frame::qualifiedMethod);
  }

  @Test
  void theRuntimeOfALanguageIsNotThePlace() {
    assertEquals(
        Optional.of("app.Orders.place"),
        innermost(
            "java.lang.Object.wait",
            "org.codehaus.groovy.vmplugin.v8.IndyInterface.fromCache",
            "app.Orders$$Lambda.run",
            "app.Orders.place",
            "app.Main.main"));
  }

  @Test
  void aLibraryIsThePlaceEvenIfTheLanguageCallsIt() {
    assertEquals(
        Optional.of("org.db.Command.execute"),
        innermost("org.db.Command.execute", "groovy.lang.Closure.call", "app.Orders.place"));
  }

  @Test
  void itIsIfThereIsNothingElse() {
    assertEquals(
        Optional.of("groovy.lang.Closure.call"),
        innermost("java.lang.Thread.sleep", "groovy.lang.Closure.call", "java.lang.Thread.run"));
    assertEquals(Optional.empty(), innermost("java.lang.Thread.sleep", "java.lang.Thread.run"));
  }
}
