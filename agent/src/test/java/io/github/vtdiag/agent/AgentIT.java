package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.programs.Ends;
import io.github.vtdiag.agent.programs.Hostile;
import io.github.vtdiag.agent.programs.NotifiesWithJfrsLock;
import io.github.vtdiag.agent.programs.Pins;
import io.github.vtdiag.agent.programs.Queues;
import io.github.vtdiag.agent.programs.ReplacingAgent;
import io.github.vtdiag.agent.programs.SetsScheduler;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.LongWaitFields;
import io.github.vtdiag.pin.MonitorSamples;
import io.github.vtdiag.testing.AwaitsClasses;
import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The built agent on programs that must not notice it. Their pins last 150 ms; thresholds keep out
 * what loading a class may pin for a few milliseconds on a busy machine.
 */
class AgentIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, String agent, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return run(jdk, List.of(AgentJar.option(agent)), program, arguments);
  }

  private Forked run(Jdk jdk, List<String> options, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.add(Forked.QUICK);
    String classes = program.getProtectionDomain().getCodeSource().getLocation().getPath();
    all.addAll(List.of("-cp", classes, program.getName()));
    all.addAll(List.of(arguments));
    return Forked.java(jdk, folder, all.toArray(String[]::new));
  }

  private List<RecordedEvent> events(String file, String type) throws IOException {
    return RecordingFile.readAllEvents(folder.resolve(file)).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .toList();
  }

  private static List<String> agentLines(Forked run) {
    return AgentJar.said(run.err());
  }

  private static String otherLines(Forked run) {
    return run.err()
        .lines()
        .filter(line -> !line.startsWith("[vtdiag]"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @EitherJdk
  void aBadOptionIsOneLineAndTheProgramRunsWithoutTheAgent(Jdk jdk) throws Exception {
    Forked run = run(jdk, "colour=red", Ends.class, "exit");
    assertEquals(7, run.exitCode());
    assertEquals("out of exit\nvirtual\n", run.out());
    List<String> lines = agentLines(run);
    assertEquals(1, lines.size(), run.err());
    assertTrue(lines.getFirst().contains("unknown option 'colour'"), run.err());
    assertTrue(lines.getFirst().endsWith("; running without the agent"), run.err());
    assertFalse(hasRecording());
  }

  @ParameterizedTest
  @EitherJdk
  void aBadOptionStopsTheProgramIfAskedTo(Jdk jdk) throws Exception {
    Forked run = run(jdk, "colour=red,onerror=fail", Ends.class, "return");
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    assertEquals(1, agentLines(run).size(), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void withoutTheModuleTheProgramRunsWithoutTheAgent(Jdk jdk) throws Exception {
    Forked run =
        run(
            jdk,
            List.of("--limit-modules", "java.base,java.instrument", AgentJar.option("")),
            Ends.class,
            "exit");
    assertEquals(7, run.exitCode());
    assertEquals("out of exit\nvirtual\n", run.out());
    assertTrue(agentLines(run).getFirst().contains("jdk.jfr is missing"), run.err());
  }

  @ParameterizedTest
  @EitherJdk
  void anOutputThatCannotBeWrittenLosesNothing(Jdk jdk) throws Exception {
    Forked run = run(jdk, "output=no/such/folder/app.jfr,warn=off", Pins.class, "clinit", "1");
    assertEquals(0, run.exitCode(), run.err());
    String said = agentLines(run).getFirst();
    assertTrue(
        said.startsWith(
            "[vtdiag] cannot write no/such/folder/app.jfr (its folder does not exist); rec"),
        run.err());
    Path fallback = Path.of(said.substring(said.indexOf("recording to ") + 13));
    assertTrue(Files.size(fallback) > 0, said);
    Files.delete(fallback);
  }

  @ParameterizedTest
  @EitherJdk
  void helpIsPrintedAndNothingRuns(Jdk jdk) throws Exception {
    Forked run = run(jdk, "help", Ends.class, "exit");
    assertEquals(0, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("vtdiag agent: records what pins virtual threads."));
  }

  @ParameterizedTest
  @EitherJdk
  void theProgramPrintsAndEndsAsItDoesWithoutTheAgent(Jdk jdk) throws Exception {
    for (String way :
        List.of("return", "count", "exit", "halt", "throw", "daemon", "hook", "term")) {
      Forked bare = run(jdk, List.of(), Ends.class, way);
      Forked observed = run(jdk, "output=" + way + ".jfr,threshold=100ms", Ends.class, way);
      assertEquals(bare.out(), observed.out(), way);
      assertEquals(bare.exitCode(), observed.exitCode(), way);
      assertEquals(otherLines(bare), otherLines(observed), way);
      if (!way.equals("halt")) {
        assertTrue(
            agentLines(observed).getFirst().startsWith("[vtdiag] no pins of 100 ms or longer"),
            observed.err());
        assertFalse(events(way + ".jfr", "jdk.JVMInformation").isEmpty(), way);
      }
    }
  }

  @ParameterizedTest
  @EitherJdk
  void aShutdownHookThatStandsStillIsToldAndRecorded(Jdk jdk) throws Exception {
    Forked run = run(jdk, "output=hung.jfr", Ends.class, "hung");
    assertEquals(11, run.exitCode());
    String where = Ends.class.getName() + ".waitForHalt (CountDownLatch)";
    assertTrue(
        agentLines(run).stream()
            .anyMatch(line -> line.contains("a shutdown hook waited in " + where)),
        run.err());
    List<RecordedEvent> waits = events("hung.jfr", LongWaitFields.EVENT);
    assertEquals("a shutdown hook", waits.getLast().getString("detail"));
  }

  @ParameterizedTest
  @EitherJdk
  void theEnvironmentVariableIsReadToo(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            Map.of(AgentOptions.ENVIRONMENT_VARIABLE, "output=env-%p.jfr,summary=off"),
            Forked.QUICK,
            AgentJar.option(""),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Ends.class.getName(),
            "return");
    assertEquals(List.of(), agentLines(run));
    try (var files = Files.list(folder)) {
      assertEquals(
          1, files.filter(file -> file.getFileName().toString().matches("env-\\d+\\.jfr")).count());
    }
  }

  /** The program's very first act is to pin; JFR alone takes longer to start than that. */
  @Test
  void noPinOfTheFirstMomentsIsLost() throws Exception {
    Forked run = run(Jdk.JAVA_21, "output=a.jfr,threshold=100ms", Pins.class, "method", "12");
    assertEquals("pinning: method\ndone\n", run.out());
    List<RecordedEvent> pins = events("a.jfr", Events.PINNED);
    assertEquals(12, pins.size());
    assertTrue(pins.stream().allMatch(pin -> pin.getDuration().toMillis() >= 100), pins::toString);
  }

  @Test
  void theRecordingCarriesLockMapsSamplesAndTheAgentItself() throws Exception {
    Forked run = run(Jdk.JAVA_21, "output=a.jfr,depth=77,samples=1000", Pins.class, "method", "60");

    RecordedEvent agent = events("a.jfr", Events.AGENT).getFirst();
    assertEquals(77, agent.getInt("stackDepth"));
    assertEquals(Runtime.getRuntime().availableProcessors(), agent.getInt("processors"));
    assertEquals(Runtime.getRuntime().availableProcessors(), agent.getInt("parallelism"));
    assertTrue(agent.getString("options").contains("depth=77"), agent::toString);

    RecordedEvent map =
        events("a.jfr", Events.LOCK_MAP).stream()
            .filter(event -> event.getString("className").endsWith("Pins$Own"))
            .findFirst()
            .orElseThrow();
    assertEquals("app", map.getString("classLoader"));
    assertTrue(map.getString("location").endsWith("test-classes/"), map::toString);
    assertEquals(
        Set.of("method", "blockUnderManyFrames"),
        LockMaps.parse(map.getString("map")).stream()
            .map(method -> method.name())
            .collect(Collectors.toSet()));

    assertFalse(run.err().contains("cannot sample"), run.err());
    // The sampler is woven in beside the program; it sees the later pins.
    List<RecordedEvent> samples = events("a.jfr", Events.MONITOR_SAMPLE);
    assertFalse(samples.isEmpty());
    for (RecordedEvent sample : samples) {
      assertTrue(sample.getThread().isVirtual());
      var holder = MonitorSamples.parse(sample.getString("frames")).getFirst();
      assertEquals(Pins.class.getName() + "$Own", holder.className());
      assertEquals("method", holder.method());
      assertEquals(holder.className(), holder.monitors().getFirst().className());
    }
    assertEquals(
        samples.size(),
        samples.stream().map(sample -> sample.getString("frames")).distinct().count(),
        "each pin locked an object of its own");
  }

  @ParameterizedTest
  @EitherJdk
  void evenAShortRecordingTellsTheHeap(Jdk jdk) throws Exception {
    run(jdk, "output=a.jfr,warn=off", Pins.class, "clinit", "1");
    RecordedEvent end = events("a.jfr", Events.HEAP_USAGE).getLast();
    assertTrue(end.getLong("used") > 100_000, end::toString);
    Instant pinned = events("a.jfr", Events.PINNED).getLast().getEndTime();
    assertTrue(end.getStartTime().isAfter(pinned), end::toString);
  }

  @Test
  void aRecordingTellsHowManyThreadsWaitForACarrier() throws Exception {
    Forked quiet =
        run(
            Jdk.JAVA_21,
            List.of(
                "-Djdk.virtualThreadScheduler.parallelism=2",
                "-Djdk.virtualThreadScheduler.maxPoolSize=2",
                AgentJar.option("output=a.jfr,warn=off")),
            Pins.class,
            "method",
            "60");
    assertFalse(quiet.err().contains("carrier blocked"), quiet.err());
    List<Long> waiting =
        events("a.jfr", Events.WAITING).stream().map(event -> event.getLong("threads")).toList();
    // Two are pinned for 150 ms at a time, all others wait, ever fewer.
    assertTrue(waiting.size() >= 2, waiting::toString);
    assertTrue(waiting.getFirst() > 10 && waiting.getFirst() < 60, waiting::toString);
    assertTrue(waiting.getFirst() > waiting.getLast(), waiting::toString);

    run(Jdk.JAVA_21, "output=a.jfr,warn=off,threshold=100s", Pins.class, "method", "60");
    assertTrue(events("a.jfr", Events.PINNED).isEmpty());
    assertFalse(events("a.jfr", Events.WAITING).isEmpty(), "without any pin, too");
  }

  /** To read the stack of a thread that needs a carrier queues it once more, before Java 25. */
  @Test
  void noMoreThreadsWaitForCarrierThanThereAre() throws Exception {
    Forked run = run(Jdk.JAVA_21, "output=a.jfr,warn=off", Queues.class, "30", "12");
    assertEquals(0, run.exitCode(), run.err());
    List<Long> waiting =
        events("a.jfr", Events.WAITING).stream().map(event -> event.getLong("threads")).toList();
    assertTrue(waiting.size() > 5, waiting::toString);
    // A thread may come to the queue while they are counted.
    assertTrue(Collections.max(waiting) > 20 && Collections.max(waiting) < 40, waiting::toString);
  }

  @Test
  void aLongPinIsToldOnceASite() throws Exception {
    Forked run = run(Jdk.JAVA_21, "output=a.jfr,warn=100ms", Pins.class, "block", "40");
    List<String> warnings =
        agentLines(run).stream().filter(line -> line.contains("carrier blocked")).toList();
    assertEquals(1, warnings.size(), run.err());
    assertTrue(
        warnings
            .getFirst()
            .matches(
                ".* carrier blocked 1\\d\\d ms: virtual thread #\\d+ in sleep, holding Pins"
                    + " \\(synchronized block in pin, Pins.java:\\d+\\)"),
        warnings.getFirst());
  }

  @Test
  void theSummaryNamesTheHolderUnderAStackDeeperThanJfrsDefault() throws Exception {
    Forked run = run(Jdk.JAVA_21, "output=a.jfr,warn=off,threshold=100ms", Pins.class, "deep", "4");
    String summary = String.join("\n", agentLines(run));
    assertTrue(summary.contains("4 pins blocked carriers for "), summary);
    assertTrue(
        summary.contains("100%")
            && summary.contains("Pins$Own.blockUnderManyFrames, synchronized block"),
        summary);
    assertTrue(
        events("a.jfr", Events.PINNED).stream()
            .allMatch(
                pin ->
                    !pin.getStackTrace().isTruncated()
                        && pin.getStackTrace().getFrames().size() > 150));
  }

  @ParameterizedTest
  @EnumSource
  void aClassInitializerPinsOnBoth(Jdk jdk) throws Exception {
    Forked run = run(jdk, "output=a.jfr,warn=off", Pins.class, "clinit", "1");
    String summary = String.join("\n", agentLines(run));
    assertTrue(summary.contains("Pins$Initialized.<clinit>, class initializer"), summary);
  }

  @ParameterizedTest
  @EnumSource
  void waitingAndEnteringKeepTheCarrierOn21Only(Jdk jdk) throws Exception {
    String waiting =
        run(jdk, "output=a.jfr,warn=off,threshold=100ms", Pins.class, "wait", "4").err();
    String entering =
        run(jdk, "output=b.jfr,warn=off,threshold=20ms", Pins.class, "contend", "4").err();
    switch (jdk) {
      case JAVA_21 -> {
        assertTrue(waiting.contains("4 pins blocked carriers"), waiting);
        assertTrue(waiting.contains("Pins.pin, Object.wait on " + Pins.class.getName()), waiting);
        assertTrue(
            entering.contains(
                "waits to enter the monitor of Pins.SHARED (java.lang.Object), which another thread"
                    + " holds"),
            entering);
      }
      case JAVA_25 -> {
        assertTrue(waiting.contains("no pins of 100 ms or longer"), waiting);
        assertTrue(entering.contains("no pins of 20 ms or longer"), entering);
      }
    }
  }

  @ParameterizedTest
  @EitherJdk
  void aProgramThatDoesNotPinIsToldSo(Jdk jdk) throws Exception {
    Forked run = run(jdk, "output=a.jfr,threshold=100ms", Pins.class, "none", "50");
    assertTrue(agentLines(run).getFirst().contains("no pins of 100 ms or longer"), run.err());
    assertEquals(List.of(), events("a.jfr", Events.PINNED));
  }

  @Test
  void includeAndExcludeChooseWhatIsTold() throws Exception {
    String excluded =
        run(
                Jdk.JAVA_21,
                "output=a.jfr,threshold=100ms,exclude=io.github.vtdiag.agent",
                Pins.class,
                "method",
                "4")
            .err();
    assertTrue(excluded.contains("no pins of 100 ms or longer"), excluded);
    assertFalse(excluded.contains("carrier blocked"), excluded);
    assertEquals(4, events("a.jfr", Events.PINNED).size());
    String included =
        run(Jdk.JAVA_21, "output=a.jfr,threshold=100ms,include=org.acme", Pins.class, "method", "4")
            .err();
    assertTrue(included.contains("no pins of 100 ms or longer"), included);
  }

  @ParameterizedTest
  @EitherJdk
  void anotherRecordingGoesOnBesideIt(Jdk jdk) throws Exception {
    Forked run =
        run(
            jdk,
            List.of(
                "-XX:StartFlightRecording:filename=theirs.jfr",
                AgentJar.option("output=ours.jfr,threshold=100ms")),
            Pins.class,
            "clinit",
            "1");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(
        1,
        events("theirs.jfr", Events.PINNED).stream()
            .filter(pin -> pin.getDuration().toMillis() >= 100)
            .count());
    assertEquals(1, events("ours.jfr", Events.PINNED).size());
  }

  /** A JVM did not end: another recording was started from outside while it exited. */
  @ParameterizedTest
  @EitherJdk
  void noListenerHoldsLockWhileItAsksJfr(Jdk jdk) throws Exception {
    Path out = Files.createDirectory(folder.resolve("out"));
    Forked run =
        run(
            jdk,
            List.of(
                "--add-opens=jdk.jfr/jdk.jfr=ALL-UNNAMED",
                "--add-opens=jdk.jfr/jdk.jfr.internal=ALL-UNNAMED",
                AgentJar.option("output=" + out + "/")),
            NotifiesWithJfrsLock.class);
    assertEquals("2 listeners", run.out().strip(), run::err);
  }

  private String replacing(String internalName, Path classFile) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", ReplacingAgent.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    Path other = folder.resolve("other.jar");
    new JarOutputStream(Files.newOutputStream(other), manifest).close();
    return "-javaagent:" + other + "=" + internalName + "=" + classFile;
  }

  /** Another agent takes the weaver's work away: it changes nothing any more. */
  @Test
  void aHookThatIsNotWovenInIsMissedAtOnce() throws Exception {
    String weaver = "io/github/vtdiag/agent/probe/VirtualThreadHooks";
    ClassWriter idle = new ClassWriter(0);
    try (JarFile jar = new JarFile(AgentJar.PATH.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(weaver + ".class"))) {
      new ClassReader(in)
          .accept(
              new ClassVisitor(Opcodes.ASM9, idle) {
                @Override
                public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] thrown) {
                  MethodVisitor method =
                      super.visitMethod(access, name, descriptor, signature, thrown);
                  if (!name.equals("transform")) {
                    return method;
                  }
                  method.visitCode();
                  method.visitInsn(Opcodes.ACONST_NULL);
                  method.visitInsn(Opcodes.ARETURN);
                  method.visitMaxs(1, 7);
                  method.visitEnd();
                  return null;
                }
              },
              0);
    }
    Path changed = Files.write(folder.resolve("Weaver.class"), idle.toByteArray());
    Forked run =
        run(
            Jdk.JAVA_21,
            List.of(
                replacing(weaver, changed),
                AgentJar.option("output=a.jfr,warn=off,threshold=100ms,samples=1000")),
            Pins.class,
            "method",
            "36"); // long enough for a watch that starts late on a busy machine
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("pinning: method\ndone\n", run.out());
    assertEquals(
        "[vtdiag] cannot sample exact monitors, the recording continues: this JVM does not call"
            + " vtdiag's hook when a pinned thread parks",
        agentLines(run).getFirst());
    assertEquals(36, events("a.jfr", Events.PINNED).size());
    assertEquals(List.of(), events("a.jfr", Events.MONITOR_SAMPLE));
    List<RecordedEvent> watch = events("a.jfr", Events.WATCH);
    assertFalse(watch.getLast().getBoolean("exact"), watch::toString);
  }

  /** The scheduler reads its properties when the JVM first needs it, and may not need it for us. */
  @ParameterizedTest
  @EitherJdk
  void theSchedulerIsLeftForTheProgramToSetUp(Jdk jdk) throws Exception {
    assertEquals("1\n", run(jdk, List.of(), SetsScheduler.class).out());
    assertEquals("1\n", run(jdk, "output=a.jfr", SetsScheduler.class).out());
  }

  /** What other agents do: their code comes first in the method and shifts every bci after it. */
  @Test
  void aClassThatAnotherAgentChangedIsReadAsTheJvmRunsIt() throws Exception {
    ClassWriter shifted = new ClassWriter(0);
    new ClassReader(
            Files.readAllBytes(
                AgentJar.PROGRAMS.resolve("io/github/vtdiag/agent/programs/Pins$Own.class")))
        .accept(
            new ClassVisitor(Opcodes.ASM9, shifted) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(
                    Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, thrown)) {
                  @Override
                  public void visitCode() {
                    super.visitCode();
                    for (int i = 0; i < 50; i++) {
                      visitInsn(Opcodes.NOP);
                    }
                  }
                };
              }
            },
            0);
    Path changed = folder.resolve("Own.class");
    Files.write(changed, shifted.toByteArray());
    Forked run =
        run(
            Jdk.JAVA_21,
            // The JVM asks agents in this order; the last one sees what the others made.
            List.of(
                replacing("io/github/vtdiag/agent/programs/Pins$Own", changed),
                AgentJar.option("output=a.jfr,warn=off,threshold=100ms,samples=0")),
            Pins.class,
            "deep",
            "4");
    assertTrue(run.err().contains("Pins$Own.blockUnderManyFrames, synchronized block"), run.err());
    var block =
        events("a.jfr", Events.LOCK_MAP).stream()
            .filter(event -> event.getString("className").endsWith("Pins$Own"))
            .flatMap(event -> LockMaps.parse(event.getString("map")).stream())
            .filter(method -> method.name().equals("blockUnderManyFrames"))
            .findFirst()
            .orElseThrow();
    assertTrue(block.regions().getFirst().enterBci() > 50, block::toString);
  }

  /** A class file keeps nearly any character in a name; its initializer pins on both JDKs. */
  private Path hostileClass() throws IOException {
    String name = "x/Evil\u009b2J\nforged\u2029";
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V21, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    for (String method : List.of("<clinit>", "pin")) {
      MethodVisitor code =
          writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, "()V", null, null);
      code.visitCode();
      if (method.equals("<clinit>")) {
        String program = Hostile.class.getName().replace('.', '/');
        code.visitMethodInsn(Opcodes.INVOKESTATIC, program, "pause", "()V", false);
      }
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }
    return Files.write(folder.resolve("evil.class"), writer.toByteArray());
  }

  @ParameterizedTest
  @EitherJdk
  void noNameReachesStandardErrorAsItIs(Jdk jdk) throws Exception {
    Forked run =
        run(jdk, "output=a\u001b[2J.jfr,threshold=100ms", Hostile.class, hostileClass().toString());
    assertEquals("done\n", run.out());
    assertEquals("", otherLines(run), "no name broke a line");
    assertTrue(
        run.err().codePoints().allMatch(c -> c == '\n' || !Character.isISOControl(c)), run.err());
    assertFalse(run.err().lines().anyMatch(line -> line.startsWith("[vtdiag] forged")), run.err());

    String warning = agentLines(run).getFirst();
    assertTrue(
        warning.contains(
            "virtual thread \"\\u001b[2J\\u001b[31m\\r\\n[vtdiag] forged \\u2028\\u202e"),
        warning);
    assertTrue(warning.contains("initializer of x.Evil\\u009b2J\\nforged\\u2029"), warning);
    String summary = run.err().substring(run.err().indexOf("1 pin blocked carriers"));
    assertTrue(summary.contains("x.Evil\\u009b2J\\nforged\\u2029.<clinit>"), summary);
    assertTrue(summary.contains("a\\u001b[2J.jfr"), summary);
  }

  @ParameterizedTest
  @EitherJdk
  void noOptionReachesStandardErrorAsItIs(Jdk jdk) throws Exception {
    Forked run = run(jdk, "a\u001b[2J\n[vtdiag] forged=b", Ends.class, "return");
    assertEquals("err of return", otherLines(run));
    assertEquals(1, agentLines(run).size(), run.err());
    assertTrue(agentLines(run).getFirst().contains("'a\\u001b[2J\\n[vtdiag] forged'"), run.err());
  }

  /** So that analysis can name them without the class path. */
  @Test
  void theRecordingSaysWhichClassesWereWaitedForAndOfNoOtherPlace() throws Exception {
    run(
        Jdk.JAVA_21,
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=4",
            AgentJar.option("output=a.jfr,warn=off,threshold=20ms,samples=0")),
        AwaitsClasses.class);
    String name = AwaitsClasses.class.getName();
    assertEquals(
        Set.of(
            "created $Created", "called $Called", "read $Read", "written $Written", "named $Named"),
        events("a.jfr", Events.LOCK_MAP).stream()
            .filter(event -> event.getString("className").equals(name))
            .flatMap(event -> LockMaps.parse(event.getString("map")).stream())
            .flatMap(
                method ->
                    method.callSites().stream()
                        .filter(site -> !site.initializes().isEmpty())
                        .map(
                            site ->
                                method.name().replaceAll("lambda.(.*).\\d", "$1")
                                    + " "
                                    + site.initializes().replace(name, "")))
            .collect(Collectors.toSet()));
  }

  /** Retransforming a class while its initializer runs makes JFR lose the method. */
  @Test
  void everyFrameOfARunningInitializerKeepsItsMethod() throws Exception {
    run(Jdk.JAVA_21, "output=a.jfr,warn=100ms", Pins.class, "clinit", "1");
    for (RecordedEvent pin : events("a.jfr", Events.PINNED)) {
      assertTrue(
          pin.getStackTrace().getFrames().stream().allMatch(frame -> frame.getMethod() != null),
          pin::toString);
    }
  }

  private boolean hasRecording() throws IOException {
    try (var files = Files.list(folder)) {
      return files.anyMatch(file -> file.toString().endsWith(".jfr"));
    }
  }
}
