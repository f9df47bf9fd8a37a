package io.github.vtdiag.cli;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SuggestedMeasureTest {
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);

  private static Pins pinned(String method, Frame... callers) {
    Frame orders = frame("com.example.Orders", method, 3, 10);
    Frame[] frames = new Frame[callers.length + 2];
    frames[0] = PARK;
    frames[1] = orders;
    System.arraycopy(callers, 0, frames, 2, callers.length);
    Pins pins = new Pins().owner("com.example.Orders", new Owner.Application("classes"));
    return pins.pin(1, 50, stack(frames), method(1, orders));
  }

  private static Optional<List<String>> measure(RecordingData data, Pins pins) {
    return AdviseCommand.measure(pins.findings(), HttpServers.areIn(data.classesOnStacks()));
  }

  private static Optional<List<String>> measure(Pins pins) {
    return measure(pins.data(), pins);
  }

  /** No pinned thread serves requests, such as behind a pool of threads of its own. */
  @Test
  void aServerMayBeOnTheStackOfAThreadThatWaits() {
    Pins pins = pinned("place");
    RecordingData data = pins.data();
    RecordingData served =
        new RecordingData(
            data.facts(),
            data.pins(),
            data.events(),
            new SeenWaits(
                List.of(),
                Map.of(),
                List.of(),
                Map.of(
                    1, stack(PARK, frame("org.eclipse.jetty.server.HttpChannel", "handle", 1, 1))),
                Set.of(),
                List.of()),
            data.lockMaps(),
            data.samples());
    assertEquals(Optional.of(List.of("--http", "http://localhost:8080/")), measure(served, pins));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.catalina.core.StandardWrapperValve",
        "io.helidon.webserver.http1.Http1Connection",
        "org.eclipse.jetty.server.handler.ContextHandler",
        "sun.net.httpserver.ServerImpl$Exchange"
      })
  void aServerIsAskedForRequests(String server) {
    assertEquals(
        Optional.of(List.of("--http", "http://localhost:8080/")),
        measure(pinned("place", frame(server, "handle", 9, 1))));
  }

  @Test
  void theAddressHasThePortAtWhichTheServerListened() {
    assertEquals(
        Optional.of(List.of("--http", "http://localhost:9191/")),
        measure(pinned("place", frame("io.undertow.server.Connectors", "run", 9, 1)).ports(9191)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.net.http.HttpClient",
        "org.apache.hc.client5.http.impl.classic.CloseableHttpClient",
        "org.eclipse.jetty.client.HttpClient",
        "io.grpc.stub.ServerCalls"
      })
  void anyOtherProgramHasItsCallsCounted(String caller) {
    assertEquals(
        Optional.of(List.of("--count", "com.example.Orders#place")),
        measure(pinned("place", frame(caller, "send", 9, 1))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lambda$main$0", "<clinit>", "<init>"})
  void whatNobodyNamedIsNotCounted(String method) {
    assertEquals(Optional.empty(), measure(pinned(method)));
  }

  /** A program that was started by its main class has no jar in its command. */
  @Test
  void theClassPathIsWhereTheApplicationWasLoadedFrom(@TempDir Path folder) throws IOException {
    Frame orders = frame("com.example.Orders", "place", 3, 10);
    Path jar = folder.resolve("shop.jar");
    Pins pins =
        new Pins()
            .owner("com.example.Orders", new Owner.Application(jar.toString()))
            .pin(1, 50, stack(orders), method(0, orders));
    assertEquals(Optional.empty(), InputOptions.startedJar(pins.findings()));
    // A name that stands for it would be a command that does not run.
    InputOptions input = new InputOptions();
    input.files = List.of("app.jfr");
    assertEquals("vtdiag advise app.jfr", input.next("advise", pins.findings()).text());
    assertEquals(Optional.empty(), input.started(pins.findings()));
    assertEquals(
        List.of("vtdiag advise app.jfr", "vtdiag gate app.jfr --max-pin 50ms"),
        AnalyzeCommand.next(
            pins.findings(),
            input.files,
            input.classPathAsTyped(pins.findings()),
            false,
            List.of(),
            Optional.empty()));
    Files.createFile(jar);
    assertEquals(Optional.of(jar.toString()), InputOptions.startedJar(pins.findings()));
    // It is not known where a class comes from of which the agent wrote no lock map.
    Frame unseen = frame("com.example.Main", "main", 3, 10);
    pins.owner("com.example.Main", new Owner.Application(""))
        .pin(1, 50, stack(unseen), method(0, unseen));
    assertEquals(Optional.of(jar.toString()), InputOptions.startedJar(pins.findings()));
  }

  /** Quarkus starts a jar beside the application's own, which has no main class. */
  @Test
  void aJarOfTheApplicationIsNotTheOneThatWasStarted(@TempDir Path folder) throws IOException {
    Frame orders = frame("com.example.Orders", "place", 3, 10);
    Path own = Files.createFile(folder.resolve("orders.jar"));
    Path runner = Files.createFile(folder.resolve("quarkus-run.jar"));
    Pins pins =
        new Pins()
            .launched(new Launch("elsewhere/quarkus-run.jar", ""))
            .owner("com.example.Orders", new Owner.Application(own.toString()))
            .pin(1, 50, stack(orders), method(0, orders));
    InputOptions input = new InputOptions();
    input.files = List.of("app.jfr");
    assertEquals(Optional.empty(), input.started(pins.findings()));
    input.classPath = List.of(own + File.pathSeparator + runner);
    assertEquals(Optional.of(List.of("-jar", runner.toString())), input.started(pins.findings()));
  }

  @Test
  void withoutPinsThereIsNothingToCount() {
    assertEquals(Optional.empty(), measure(new Pins()));
  }

  @Test
  void aComparisonOnAnotherJavaThanTheRecordedIsSaid() {
    int recorded = pinned("place").findings().recordings().getFirst().jdk();
    Optional<String> other =
        AdviseCommand.otherJava(pinned("place").findings(), OptionalInt.of(17));
    assertEquals(
        Optional.of(
            "the compare command runs on Java 17 by default, and the recording is of Java "
                + recorded
                + "; name the home of that with --jdk"),
        other);
    for (OptionalInt usual : List.of(OptionalInt.of(recorded), OptionalInt.empty())) {
      assertEquals(Optional.empty(), AdviseCommand.otherJava(pinned("place").findings(), usual));
    }
  }
}
