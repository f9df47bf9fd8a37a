package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.programs.Keeps;
import io.github.vtdiag.agent.programs.Pins;
import io.github.vtdiag.agent.recording.RecordedValues;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.pin.KeptCarrier;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The watch of the built agent, on programs with two carriers. */
class WatchIT {
  @TempDir Path folder;

  private Forked run(Jdk jdk, String way) throws Exception {
    return run(List.of(), jdk, way);
  }

  private Forked run(List<String> on, Jdk jdk, String way) throws Exception {
    List<String> command = new ArrayList<>(on);
    command.addAll(
        List.of(
            jdk.java().toString(),
            Forked.PATIENT,
            Forked.QUICK,
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2",
            AgentJar.option("output=a.jfr,warn=off"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Keeps.class.getName(),
            way));
    Forked run = Forked.run(folder, Map.of(), command);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().endsWith("done\n"), run.out());
    return run;
  }

  private Stream<RecordedValues> events(String type) throws IOException {
    return RecordingFile.readAllEvents(folder.resolve("a.jfr")).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .map(event -> new RecordedValues(event, new IdentityHashMap<>()));
  }

  private List<KeptCarrier> kept() throws IOException {
    return events(Events.CARRIER_KEPT).map(Events::keptCarrier).toList();
  }

  private void saysNothing(Forked run) throws IOException {
    assertFalse(run.err().contains("carrier blocked"), run.err());
    // A busy machine can make any thread wait in native code.
    assertEquals(
        List.of(), kept().stream().filter(kept -> kept.kind() != KeptCarrier.Kind.NATIVE).toList());
    List<Events.WatchLook> looks = events(Events.WATCH).map(Events::watchLook).toList();
    assertTrue(looks.stream().anyMatch(look -> look.looks() > 0), looks::toString);
    assertTrue(looks.stream().allMatch(Events.WatchLook::exact), looks::toString);
  }

  @ParameterizedTest
  @EnumSource
  void threadsThatComputeArePinnedByNothing(Jdk jdk) throws Exception {
    saysNothing(run(Forked.ON_ONE_PROCESSOR, jdk, "compute"));
  }

  @ParameterizedTest
  @EnumSource
  void manyShortPinsAreNoLongOne(Jdk jdk) throws Exception {
    saysNothing(run(jdk, "short"));
  }

  /** HotSpot does not say for which monitor a notified thread waits. */
  @ParameterizedTest
  @EnumSource
  void manyShortWaitsForTheMonitorAfterANotificationAreNoLongOne(Jdk jdk) throws Exception {
    saysNothing(run(jdk, "reenters"));
  }

  @ParameterizedTest
  @EnumSource
  void theTimeInWhichTheProcessWasSuspendedDoesNotCount(Jdk jdk) throws Exception {
    saysNothing(run(jdk, "suspend"));
  }

  @ParameterizedTest
  @EnumSource
  void withoutTheWatchNothingIsAddedAndNothingSaid(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            Forked.QUICK,
            AgentJar.option("output=a.jfr,warn=off,watch=off,samples=0"),
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Pins.class.getName(),
            "clinit",
            "1");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(0, events(Events.WATCH).count());
    assertEquals(List.of(), kept());
  }

  private KeptCarrier first(String thread, KeptCarrier.Kind kind) throws IOException {
    List<KeptCarrier> all = kept();
    return all.stream()
        .filter(kept -> kept.thread().name().equals(thread) && kept.kind() == kind)
        .findFirst()
        .orElseThrow(() -> new AssertionError(all.toString()));
  }

  /** The frames of the program itself, by which the lock maps tell what it holds. */
  private static Frame own(KeptCarrier kept, String method) {
    return kept.stack().frames().stream()
        .filter(frame -> frame.method().equals(method))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kept.toString()));
  }

  /** What no event of the JDK tells: nobody's wait ends. */
  @Test
  void carriersThatNobodyGivesBackAreNamedWithWhatTheyWaitForAndItsOwner() throws Exception {
    Forked run = run(Jdk.JAVA_21, "starve");
    assertTrue(
        run.err()
            .matches(
                "(?s).*carrier blocked for \\d+ ms so far: virtual thread \"waiter-.\" waits"
                    + " in lock on java.util.concurrent.locks.ReentrantLock held by virtual thread"
                    + " \"owner\", holding Keeps\\$Pinned \\(synchronized method locks,.*"),
        run.err());
    // As `vtdiag analyze` has it, and first of all.
    List<String> summary =
        run.err()
            .lines()
            .dropWhile(line -> !line.startsWith("[vtdiag] hung when it ended: "))
            .toList();
    assertTrue(summary.size() > 2, run.err());
    // On a busy machine loading a class can take long enough to be a pin of its own.
    assertTrue(
        summary.get(1).matches("\\[vtdiag\\] \\d pins blocked carriers for .*; 2 had not ended"),
        run.err());
    assertTrue(summary.get(2).endsWith("Keeps$Pinned.locks, synchronized method, lock: this"));
    for (String waiter : List.of("waiter-1", "waiter-2")) {
      KeptCarrier kept = first(waiter, KeptCarrier.Kind.PARK);
      assertEquals("java.util.concurrent.locks.ReentrantLock", kept.lockClass());
      assertEquals("owner", kept.owner().name());
      assertTrue(own(kept, "locks").isSynchronized());
      assertEquals("()V", own(kept, "locks").descriptor());
      assertTrue(own(kept, "locks").bci() >= 0);
      assertTrue(kept().stream().noneMatch(each -> each.ended()), kept()::toString);
    }
    assertTrue(events(Events.WATCH).map(Events::watchLook).anyMatch(look -> look.kept() == 2));
  }

  @Test
  void aPinIsToldWhileItLastsAndWhenItIsOver() throws Exception {
    Forked run = run(Jdk.JAVA_21, "park");
    assertTrue(run.err().contains("carrier free again after "), run.err());
    KeptCarrier kept = first("parked", KeptCarrier.Kind.PARK);
    assertEquals(Keeps.class.getName() + "$Pinned", kept.lockClass());
    List<KeptCarrier> all = kept().stream().filter(each -> each.number() == kept.number()).toList();
    assertFalse(all.getFirst().ended());
    assertTrue(all.getLast().ended());
    assertTrue(all.getLast().nanos() >= all.getFirst().nanos());
  }

  @Test
  void waitingToEnterAMonitorIsSeen() throws Exception {
    Forked run = run(Jdk.JAVA_21, "enter");
    List<String> told =
        run.err()
            .lines()
            .filter(line -> line.contains("\"waiter\" waits in monitor entry"))
            .toList();
    assertFalse(told.isEmpty(), run.err());
    // It does not hold yet what it waits for, though the interpreter stands behind the
    // monitorenter.
    assertTrue(told.stream().noneMatch(line -> line.contains("holding")), run.err());
    Frame entering = first("waiter", KeptCarrier.Kind.MONITOR_ENTRY).stack().frames().getFirst();
    assertTrue(entering.bci() > 0, entering::toString);
  }

  @Test
  void objectWaitIsSeen() throws Exception {
    Forked run = run(Jdk.JAVA_21, "wait");
    assertTrue(run.err().contains("\"waiting\" waits in Object.wait"), run.err());
    // It has released the monitor at which it waits, and holds no other.
    assertFalse(run.err().contains("holding"), run.err());
    first("waiting", KeptCarrier.Kind.OBJECT_WAIT);
  }

  @ParameterizedTest
  @EnumSource
  void anInitializerIsSeenAndWhoWaitsForIt(Jdk jdk) throws Exception {
    Forked run = run(jdk, "clinit");
    List<KeptCarrier> all = kept();
    KeptCarrier waits =
        all.stream()
            .filter(kept -> kept.kind() == KeptCarrier.Kind.CLASS_INITIALIZATION)
            .findFirst()
            .orElseThrow(() -> new AssertionError(all.toString()));
    assertEquals(Keeps.class.getName() + "$Slow", waits.lockClass());
    assertTrue(run.err().contains("while another thread initializes " + waits.lockClass()));
    assertTrue(
        all.stream()
            .anyMatch(
                kept ->
                    kept.kind() == KeptCarrier.Kind.PARK
                        && kept.stack().frames().stream().anyMatch(Frame::isClassInitializer)),
        all::toString);
  }

  @ParameterizedTest
  @EnumSource
  void waitingInNativeCodeIsSeenAndWhoCalledIt(Jdk jdk) throws Exception {
    Forked run = run(jdk, "native");
    assertTrue(
        run.err()
            .matches(
                "(?s).*\"reader\" stands in native method java.io.FileInputStream.open0, .* from"
                    + " Keeps.lambda\\$nativeWait\\$\\d+ \\(Keeps.java:\\d+\\).*"),
        run.err());
    assertTrue(run.err().contains("[vtdiag] 1 pin blocked carriers for "), run.err());
    KeptCarrier kept = first("reader", KeptCarrier.Kind.NATIVE);
    assertTrue(kept.stack().frames().getFirst().isNative());
    assertTrue(kept().getLast().ended(), kept()::toString);
  }

  @ParameterizedTest
  @EnumSource
  void eachReadOfAFileIsAWaitOfItsOwn(Jdk jdk) throws Exception {
    run(jdk, "lines");
    List<Long> reads =
        kept().stream()
            .filter(kept -> kept.kind() == KeptCarrier.Kind.NATIVE)
            .map(KeptCarrier::number)
            .distinct()
            .toList();
    assertTrue(reads.size() > 1, kept()::toString);
  }
}
