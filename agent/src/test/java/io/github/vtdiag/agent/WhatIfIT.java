package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.pin.Events;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import whatif.EarlyAgent;
import whatif.FullStack;
import whatif.LinkAll;
import whatif.MapAgent;
import whatif.Maps;
import whatif.OwnLocks;
import whatif.Stops;
import whatif.Stress;
import whatif.Untyped;

/** Programs with locks in the place of their monitors. */
class WhatIfIT {
  private static final String AS_IS = "output=a.jfr,warn=off,summary=off";
  private static final String REWRITTEN = AS_IS + ",rewrite=auto";

  /** What these do depends on how HotSpot compiles it. */
  private static final Set<Class<?>> UNDER_LOAD =
      Set.of(Stress.class, FullStack.class, Untyped.class, Maps.class);

  /** Of {@link FullStack}; by the fifth what runs has been compiled by both compilers. */
  private static final String ROUNDS = Boolean.getBoolean("vtdiag.full") ? "15" : "5";

  @TempDir Path folder;

  private Forked run(
      Jdk jdk, List<String> options, String classPath, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    if (!UNDER_LOAD.contains(program)) {
      all.add(Forked.QUICK);
    }
    all.addAll(options);
    all.addAll(List.of("-Xverify:all", "-cp", classPath, program.getName()));
    all.addAll(List.of(arguments));
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  private Forked run(Jdk jdk, String agent, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return run(
        jdk, List.of(AgentJar.option(agent)), AgentJar.PROGRAMS.toString(), program, arguments);
  }

  /** Byte Buddy has hundreds of classes, and every application with the agent would load them. */
  @ParameterizedTest
  @EnumSource
  void onlyAWhatIfLoadsByteBuddy(Jdk jdk) throws Exception {
    assertFalse(loaded(jdk, AS_IS).contains(".shaded.bytebuddy."));
    assertTrue(loaded(jdk, REWRITTEN).contains(".shaded.bytebuddy."));
  }

  private String loaded(Jdk jdk, String agent) throws Exception {
    Path log = folder.resolve("loaded.txt");
    Forked run =
        run(
            jdk,
            List.of("-Xlog:class+load:file=" + log, AgentJar.option(agent)),
            AgentJar.PROGRAMS.toString(),
            OwnLocks.class);
    assertEquals(0, run.exitCode(), run.err());
    String text = Files.readString(log);
    assertTrue(text.contains("agent.probe.VirtualThreadHooks "), text);
    return text;
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock outside", "monitor outside"})
  void whatCannotBeRewrittenStopsTheProgramAtOnce(String way) throws Exception {
    Forked asIs = run(Jdk.JAVA_21, AS_IS, Stops.class, way);
    assertEquals(0, asIs.exitCode(), asIs.err());
    // JFR, which starts beside the program, may complain of its sudden end on standard output.
    Forked stopped =
        run(
            Jdk.JAVA_21,
            List.of("-Xlog:jfr+system=off", AgentJar.option(REWRITTEN)),
            AgentJar.PROGRAMS.toString(),
            Stops.class,
            way);
    assertEquals(2, stopped.exitCode(), stopped.err());
    assertEquals("starting\n", stopped.out(), "neither the program nor its hook went on");
    String reason =
        switch (way) {
          case "lock outside" ->
              "rewritten code locks an object of"
                  + " java.util.Collections$SynchronizedRandomAccessList, whose monitor the JDK's"
                  + " own code takes too, where only the lock can be taken";
          default ->
              "rewritten code locks an object of java.lang.Object, whose monitor was replaced with"
                  + " a lock, where only a monitor can be taken";
        };
    assertTrue(stopped.err().contains(reason), stopped.err());
    assertTrue(stopped.err().contains("; stopping the program"), stopped.err());
  }

  private Path agent(Class<?> type) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", type.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    Path jar = folder.resolve("other.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  @ParameterizedTest
  @EitherJdk
  void aClassThatWasLoadedBeforeStopsTheProgramBeforeMain(Jdk jdk) throws Exception {
    Path other = agent(EarlyAgent.class);
    Forked stopped =
        run(
            jdk,
            List.of("-javaagent:" + other, AgentJar.option(REWRITTEN)),
            AgentJar.PROGRAMS.toString(),
            OwnLocks.class);
    assertEquals(2, stopped.exitCode());
    assertEquals("", stopped.out());
    assertTrue(
        stopped.err().contains("whatif.EarlyAgent was loaded before vtdiag; put"), stopped.err());
    Forked second =
        run(
            jdk,
            List.of(AgentJar.option(REWRITTEN), "-javaagent:" + other),
            AgentJar.PROGRAMS.toString(),
            OwnLocks.class);
    assertEquals(0, second.exitCode(), second.err());
  }

  @ParameterizedTest
  @EitherJdk
  void aBadSiteRunsTheProgramWithoutTheAgent(Jdk jdk) throws Exception {
    Forked run = run(jdk, AS_IS + ",rewrite=@no/such", OwnLocks.class);
    assertEquals(0, run.exitCode());
    assertEquals("done 100\n", run.out());
    assertTrue(
        run.err().contains("rewrite: 'no/such' cannot be read (NoSuchFileException)"), run.err());
    assertFalse(run.err().contains("what-if"), run.err());
  }

  @ParameterizedTest
  @EnumSource
  void programsDoWithLocksWhatTheyDoWithMonitors(Jdk jdk) throws Exception {
    Forked bare = run(jdk, List.of(), AgentJar.PROGRAMS.toString(), Stress.class);
    Forked rewritten = run(jdk, REWRITTEN, Stress.class);
    assertEquals(bare.out(), rewritten.out(), rewritten.err());
    assertTrue(rewritten.out().endsWith("\ndone\n"), rewritten.out());
    assertFalse(rewritten.out().contains("failed"), rewritten.out());
    assertEquals(0, rewritten.exitCode());
  }

  @ParameterizedTest
  @EnumSource
  void afterAFullStackNoLockIsHeld(Jdk jdk) throws Exception {
    assertNoLockIsHeldAfterAFullStack(jdk, "-XX:+TieredCompilation");
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "JAVA_21, -Xint", "JAVA_21, -XX:TieredStopAtLevel=1",
    "JAVA_25, -Xint", "JAVA_25, -XX:TieredStopAtLevel=1"
  })
  void afterAFullStackNoLockIsHeldInOtherModes(Jdk jdk, String mode) throws Exception {
    assertNoLockIsHeldAfterAFullStack(jdk, mode);
  }

  private void assertNoLockIsHeldAfterAFullStack(Jdk jdk, String mode) throws Exception {
    Forked rewritten =
        run(
            jdk,
            List.of(mode, AgentJar.option(REWRITTEN)),
            AgentJar.PROGRAMS.toString(),
            FullStack.class,
            ROUNDS);
    assertEquals("nothing is held\n".repeat(2), rewritten.out(), rewritten.err());
    assertEquals(0, rewritten.exitCode(), rewritten.err());
  }

  @ParameterizedTest
  @EitherJdk
  void whereTheTypeDoesNotTellTheObjectDoes(Jdk jdk) throws Exception {
    Forked bare = run(jdk, List.of(), AgentJar.PROGRAMS.toString(), Untyped.class);
    Forked rewritten = run(jdk, REWRITTEN, Untyped.class);
    assertEquals(bare.out(), rewritten.out(), rewritten.err());
    assertTrue(rewritten.out().endsWith("\ndone\n"), rewritten.out());
  }

  @ParameterizedTest
  @EitherJdk
  void theClassesOfRealLibrariesStillLink(Jdk jdk) throws Exception {
    String path =
        AgentJar.programsWith(
            "org.postgresql.Driver",
            "org.apache.commons.pool2.ObjectPool",
            "org.hsqldb.Database",
            "com.google.common.collect.Multimap",
            "com.github.benmanes.caffeine.cache.Cache",
            "org.apache.mina.core.service.IoService",
            "org.mortbay.jetty.Server");
    Forked bare = run(jdk, List.of(), path, LinkAll.class);
    Forked rewritten = run(jdk, List.of(AgentJar.option(REWRITTEN)), path, LinkAll.class);
    assertEquals(bare.out(), rewritten.out(), rewritten.err());
    assertEquals(0, rewritten.exitCode(), rewritten.err());
    assertTrue(synchronizedMethods(bare) > 2 * synchronizedMethods(rewritten), rewritten.err());
  }

  private static int synchronizedMethods(Forked run) {
    List<Integer> counts =
        run.err()
            .lines()
            .filter(line -> line.startsWith("synchronized methods: "))
            .map(line -> Integer.valueOf(line.substring(22)))
            .toList();
    assertEquals(7, counts.size(), run.err());
    return counts.stream().mapToInt(count -> count).sum();
  }

  private long pinsOfTheProgram() throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(Events.PINNED))
        .filter(event -> event.getStackTrace() != null)
        .filter(
            event ->
                event.getStackTrace().getFrames().stream()
                    .anyMatch(frame -> frame.getMethod().getName().equals("work")))
        .count();
  }

  @Test
  void aMonitorThatIsALockDoesNotPin() throws Exception {
    run(Jdk.JAVA_21, AS_IS + ",threshold=0ms", OwnLocks.class);
    // At least: a sleep that wakes early parks again.
    assertTrue(pinsOfTheProgram() >= 100);
    for (String scope : List.of("auto", "whatif.OwnLocks")) {
      Forked rewritten =
          run(Jdk.JAVA_21, AS_IS + ",threshold=0ms,rewrite=" + scope, OwnLocks.class);
      assertEquals("done 100\n", rewritten.out(), rewritten.err());
      assertEquals(0, pinsOfTheProgram(), scope);
      assertTrue(rewritten.err().contains("this is an experiment, not for production"));
      assertEquals(
          !scope.equals("auto"), rewritten.err().contains("mutual exclusion is lost"), scope);
    }
    run(Jdk.JAVA_21, AS_IS + ",threshold=0ms,rewrite=whatif.Other", OwnLocks.class);
    assertTrue(pinsOfTheProgram() >= 100, "a class that was not chosen keeps its monitors");
  }

  @ParameterizedTest
  @EitherJdk
  void mapsDoWithLocksWhatTheyDoWithMonitors(Jdk jdk) throws Exception {
    Forked bare = run(jdk, List.of(), AgentJar.PROGRAMS.toString(), Maps.class);
    assertTrue(bare.out().contains("\nfailures 0\n"), bare.out());
    for (String scope : List.of("concurrenthashmap", "auto:concurrenthashmap")) {
      Forked rewritten = run(jdk, AS_IS + ",rewrite=" + scope, Maps.class);
      assertEquals(bare.out(), rewritten.out(), rewritten.err());
      assertEquals(0, rewritten.exitCode(), rewritten.err());
    }
  }

  @Test
  void binsThatAreLocksDoNotPin() throws Exception {
    run(Jdk.JAVA_21, AS_IS + ",threshold=0ms,rewrite=auto", Maps.class, "sleep");
    assertTrue(pinsOfTheProgram() >= 60, "the JDK's classes are not what auto means");
    String moved = AS_IS + ",threshold=0ms,rewrite=concurrenthashmap";
    Forked rewritten = run(Jdk.JAVA_21, moved, Maps.class, "sleep");
    assertEquals("computed 3540\ndone\n", rewritten.out(), rewritten.err());
    assertEquals(0, pinsOfTheProgram());
    assertFalse(rewritten.err().contains("mutual exclusion is lost"), rewritten.err());
    Forked again =
        run(
            Jdk.JAVA_21,
            List.of(
                AgentJar.option(moved), "-javaagent:" + agent(MapAgent.class) + "=retransforms"),
            AgentJar.PROGRAMS.toString(),
            Maps.class,
            "sleep");
    assertEquals("computed 3540\ndone\n", again.out(), again.err());
    assertEquals(0, pinsOfTheProgram(), "also when another agent retransforms the class");
  }

  @ParameterizedTest
  @EitherJdk
  void aThreadThatStaysInAMapStopsTheProgramBeforeMain(Jdk jdk) throws Exception {
    Forked stopped =
        run(
            jdk,
            List.of(
                "-javaagent:" + agent(MapAgent.class) + "=stays",
                AgentJar.option(AS_IS + ",rewrite=concurrenthashmap")),
            AgentJar.PROGRAMS.toString(),
            Maps.class);
    assertEquals(2, stopped.exitCode(), stopped.err());
    assertEquals("", stopped.out());
    assertTrue(
        stopped
            .err()
            .contains(
                "another thread does not leave a method of java.util.concurrent.ConcurrentHashMap"
                    + " and may hold a bin's monitor"),
        stopped.err());
  }
}
