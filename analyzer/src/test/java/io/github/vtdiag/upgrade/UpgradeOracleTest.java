package io.github.vtdiag.upgrade;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.LibraryClasses;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded: a facade calls a session, which calls a channel; the last two hold monitors. */
final class UpgradeOracleTest {
  private static final String FACADE = "class Facade { void call() { new Session().query(); } }";
  private static final String SESSION =
      "class Session { synchronized void query() { new Channel().exchange(); } }";
  private static final String CHANNEL =
      """
      class Channel {
        void exchange() {
          synchronized (this) { java.util.concurrent.locks.LockSupport.park(); }
        }
      }
      """;
  private static final String LOCKED_CHANNEL =
      """
      class Channel {
        private final java.util.concurrent.locks.Lock lock =
            new java.util.concurrent.locks.ReentrantLock();
        void exchange() {
          lock.lock();
          try { java.util.concurrent.locks.LockSupport.park(); } finally { lock.unlock(); }
        }
      }
      """;

  @TempDir Path folder;
  private LibraryOnStacks on;
  private Optional<LibraryClasses> running;

  @BeforeEach
  void record() {
    Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
    Frame channel = frame("com.example.db.Channel", "exchange", 5, 20);
    Frame session = frame("com.example.db.Session", "query", 7, 10);
    Frame facade = frame("com.example.db.Facade", "call", 7, 5);
    Owner library = new Owner.Library(new Coordinates("com.example", "db", "1.0"), "db-1.0.jar");
    Pins pins = new Pins();
    for (Frame each : List.of(channel, session, facade)) {
      pins.owner(each.type().name(), library);
    }
    pins.pin(1, 50, stack(park, channel, session, facade), method(1, channel), method(2, session));
    List<LibraryOnStacks> all = LibraryOnStacks.of(pins.findings(), finding -> true);
    assertEquals(1, all.size());
    on = all.getFirst();
    running = Optional.of(Libraries.classes(folder, FACADE, SESSION, CHANNEL));
  }

  private VersionCheck check(String... sources) {
    return new Oracle(on, running)
        .check("2.0", Libraries.release(Libraries.classes(folder, sources)));
  }

  private static Map<String, MonitorFate> fates(VersionCheck check) {
    return check.fates().entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().className().replace("com.example.db.", ""),
                Map.Entry::getValue));
  }

  // What must not be called free.

  @Test
  void theSameCodeTakesTheSameMonitors() {
    VersionCheck check = check(FACADE, SESSION, CHANNEL);
    assertEquals(
        Map.of("Channel", new MonitorFate.Taken(""), "Session", new MonitorFate.Taken("")),
        fates(check));
    assertEquals(List.of(), check.added());
    assertFalse(check.isFree());
    assertEquals(
        "in 2.0 both monitors on these stacks are still taken (com.example.db.Channel.exchange,"
            + " com.example.db.Session.query) (read from its classes, not run)",
        check.evidence());
  }

  /** The jar that ran has the other library packed in, and so has the newer one. */
  @Test
  void theMonitorOfAnotherLibraryInTheJarIsNotNew() {
    String packed = "class Facade { synchronized void call() { new Session().query(); } }";
    Map<String, byte[]> own = Libraries.compile(folder, packed, SESSION, CHANNEL);
    own.remove("com.example.db.Facade");
    running = Optional.of(LibraryClasses.of(own));
    VersionCheck same = check(packed, SESSION, CHANNEL);
    assertEquals(List.of(), same.added());
    assertEquals(
        Map.of("Channel", new MonitorFate.Taken(""), "Session", new MonitorFate.Taken("")),
        fates(same));
    assertTrue(
        check(
                packed,
                "class Session { void query() { new Channel().exchange(); } }",
                LOCKED_CHANNEL)
            .isFree());
  }

  @Test
  void aBlockInPlaceOfASynchronizedMethodIsTaken() {
    VersionCheck check =
        check(
            FACADE,
            "class Session { void query() { synchronized (this) { new Channel().exchange();"
                + " } } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Taken(""), fates(check).get("Session"));
    assertEquals(new MonitorFate.Locked(), fates(check).get("Channel"));
  }

  @Test
  void aMonitorThatWentIntoAMethodThatIsCalledIsTaken() {
    VersionCheck check =
        check(
            FACADE,
            "class Session { void query() { exclusively(); } private synchronized void"
                + " exclusively() { new Channel().exchange(); } }",
            CHANNEL);
    assertEquals(
        new MonitorFate.Taken("com.example.db.Session.exclusively"), fates(check).get("Session"));
  }

  @Test
  void aMonitorOfAMethodThatWasRenamedIsFoundOnTheWay() {
    VersionCheck check =
        check(
            "class Facade { void call() { new Session().ask(); } }",
            "class Session { synchronized void ask() { new Channel().exchange(); } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Taken("com.example.db.Session.ask"), fates(check).get("Session"));
    assertFalse(check.isFree());
  }

  @Test
  void aMonitorOfAMethodWithOtherParametersIsTheSame() {
    VersionCheck check =
        check(
            "class Facade { void call() { new Session().query(1); } }",
            "class Session { synchronized void query(int n) { new Channel().exchange(); } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Taken(""), fates(check).get("Session"));
  }

  @Test
  void aNewMonitorAroundTheCallIsSaid() {
    VersionCheck check =
        check(
            "class Facade { synchronized void call() { new Session().query(); } }",
            "class Session { void query() { new Channel().exchange(); } }",
            LOCKED_CHANNEL);
    assertEquals(List.of("com.example.db.Facade.call"), check.added());
    assertEquals(0, check.taken());
    assertFalse(check.isFree());
    assertTrue(check.gone().isEmpty());
    assertTrue(
        check
            .outcome()
            .endsWith("is taken any more, but a new one is (com.example.db.Facade.call)"),
        check::outcome);
  }

  @Test
  void aNewMonitorBetweenTwoFramesIsFoundThroughAnInterface() {
    VersionCheck check =
        check(
            FACADE,
            "class Session { void query() { Step s = new Guarded(); s.go(); } }",
            "interface Step { void go(); }",
            "class Guarded implements Step { public void go() { synchronized (Guarded.class) { new"
                + " Channel().exchange(); } } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Taken("com.example.db.Guarded.go"), fates(check).get("Session"));
  }

  @Test
  void aMonitorAroundALambdaIsTaken() {
    VersionCheck check =
        check(
            FACADE,
            "class Session { void query() { synchronized (this) { run(() -> new"
                + " Channel().exchange()); } } void run(Runnable r) { r.run(); } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Taken(""), fates(check).get("Session"));
  }

  @Test
  void aMonitorOfAnotherFrameThatWasThereBeforeIsNotNew() {
    String facade =
        "class Facade { void call() { synchronized (this) { new Session().query(); } } }";
    running = Optional.of(Libraries.classes(folder, facade, SESSION, CHANNEL));
    VersionCheck check = check(facade, SESSION, LOCKED_CHANNEL);
    assertEquals(List.of(), check.added());
  }

  @Test
  void whereEveryMethodIsGoneNothingIsKnown() {
    VersionCheck check = check("class Other { void call() {} }");
    assertEquals(
        Map.of("Channel", new MonitorFate.Gone(), "Session", new MonitorFate.Gone()), fates(check));
    assertFalse(check.isFree());
    assertTrue(check.gone().isEmpty());
  }

  @Test
  void aClassThatCannotBeReadMayTakeIt() {
    Map<String, byte[]> classes =
        new HashMap<>(Libraries.compile(folder, FACADE, SESSION, LOCKED_CHANNEL));
    classes.put("com.example.db.Session", new byte[] {1, 2, 3});
    VersionCheck check =
        new Oracle(on, running).check("2.0", Libraries.release(LibraryClasses.of(classes)));
    assertEquals(new MonitorFate.Unread(), fates(check).get("Session"));
    assertFalse(check.isFree());
  }

  // What is free.

  @Test
  void locksAndNothingInTheirPlaceAreFree() {
    VersionCheck check =
        check(
            FACADE, "class Session { void query() { new Channel().exchange(); } }", LOCKED_CHANNEL);
    assertEquals(
        Map.of("Channel", new MonitorFate.Locked(), "Session", new MonitorFate.Free()),
        fates(check));
    assertTrue(check.isFree());
    assertEquals(
        "in 2.0 none of the 2 monitors on these stacks is taken any more (read from its classes,"
            + " not run)",
        check.evidence());
  }

  @Test
  void aWrapperOfALockIsALock() {
    VersionCheck check =
        check(
            FACADE,
            """
            class Session {
              private final ResourceLock lock = new ResourceLock();
              void query() { try (ResourceLock l = lock.obtain()) { new Channel().exchange(); } }
            }
            """,
            """
            class ResourceLock extends java.util.concurrent.locks.ReentrantLock
                implements AutoCloseable {
              ResourceLock obtain() { lock(); return this; }
              public void close() { unlock(); }
            }
            """,
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Locked(), fates(check).get("Session"));
  }

  @Test
  void aMonitorThatIsNotAroundTheCallHoldsNothing() {
    VersionCheck check =
        check(
            FACADE,
            "class Session { int n; void query() { synchronized (this) { n = next(); } new"
                + " Channel().exchange(); } int next() { return n + 1; } }",
            LOCKED_CHANNEL);
    assertEquals(new MonitorFate.Free(), fates(check).get("Session"));
    assertTrue(check.isFree());
  }

  @Test
  void withoutTheClassesThatRanNothingIsCalledNew() {
    running = Optional.empty();
    VersionCheck check =
        check(
            "class Facade { synchronized void call() { new Session().query(); } }",
            "class Session { void query() { new Channel().exchange(); } }",
            LOCKED_CHANNEL);
    assertEquals(List.of(), check.added());
  }
}
