package io.github.vtdiag.advice;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.analysis.CauseSets.Freed;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.RefusalReason;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EntriesTest {
  private static final Owner APPLICATION = new Owner.Application("app.jar!/BOOT-INF/classes");
  private static final Owner POSTGRES = library("org.postgresql", "postgresql", "42.5.4");

  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame orders = frame("com.example.Orders", "find", 3, 41);
  private final Frame session = frame("com.example.Session", "query", 3, 10);
  private final Frame channel = frame("com.example.Channel", "exchange", 5, 20);
  private final Frame execute =
      frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
  private final Frame other = frame("org.hsqldb.ClientConnection", "execute", 20, 326);
  private final Map<String, Lock> locks = new HashMap<>();

  private static Owner library(String group, String artifact, String version) {
    return new Owner.Library(new Coordinates(group, artifact, version), artifact + ".jar");
  }

  private Decision ladder(LockSite site) {
    Lock lock = locks.get(site.type().name());
    return lock == null
        ? new Decision.Declined(RefusalReason.CLASS_UNKNOWN, "no bytes", List.of(site))
        : new Decision.Movable(lock);
  }

  private void movable(PinCause.HeldMonitor held) {
    String name = held.site().type().name();
    locks.put(name, Locks.of(name, List.of(held.site()), List.of()));
  }

  private Pins pins() {
    return new Pins()
        .owner(orders.type().name(), APPLICATION)
        .owner(session.type().name(), APPLICATION)
        .owner(channel.type().name(), APPLICATION)
        .owner(execute.type().name(), POSTGRES)
        .owner(other.type().name(), library("org.hsqldb", "hsqldb", "2.7.4"));
  }

  private Advice advise(Findings findings) {
    return Advisor.advise(findings, KnownFixes.load(), this::ladder, type -> false);
  }

  private List<AdviceEntry> entries(Pins pins) {
    return advise(pins.findings()).entries();
  }

  private static List<Long> totals(List<AdviceEntry> entries) {
    return entries.stream().map(entry -> entry.total() / MILLI).toList();
  }

  /**
   * Two sites of one lock cost more together than another lock's one, which costs more than either:
   * with the class path and without, they are in the same order.
   */
  @Test
  void anEntryHasItsPlaceWhetherOrNotItsLockIsDecidedOn() {
    Frame write = frame("com.example.AuditLog", "write", 3, 10);
    Frame flush = frame("com.example.AuditLog", "flush", 3, 20);
    Frame enter = enters(flush);
    Pins pins =
        pins()
            .owner(write.type().name(), APPLICATION)
            .pin(1, 500, stack(park, write), method(1, write))
            .pin(1, 400, stack(park, flush), method(1, flush))
            .pin(2, 100, stack(enter), new PinCause.MonitorEntry(enter, "com.example.AuditLog"))
            .pin(3, 700, stack(park, orders), method(1, orders))
            .pin(4, 300, stack(park, session), method(1, session));
    List<Long> undecided = totals(entries(pins));
    locks.put(
        write.type().name(),
        Locks.of(
            write.type().name(),
            List.of(method(1, write).site(), method(1, flush).site()),
            List.of()));
    movable(method(1, orders));
    movable(method(1, session));
    assertEquals(List.of(1000L, 700L, 300L), totals(entries(pins)));
    assertEquals(List.of(1000L, 700L, 300L), undecided);
  }

  /** A thread that waits to enter a synchronized method. */
  private static Frame enters(Frame method) {
    return frame(method.type().name(), method.method(), 0, method.line());
  }

  /** Under load the waiters may cost a little more than the holder whose monitor they want. */
  @ParameterizedTest
  @ValueSource(longs = {400, 600})
  void theHolderNamesTheEntryWhateverItsWaitersCost(long waiting) {
    Frame enter = enters(session);
    List<AdviceEntry> entries =
        entries(
            pins()
                .pin(1, 500, stack(park, session), method(1, session))
                .pin(2, waiting, stack(enter), new PinCause.MonitorEntry(enter, "X")));
    assertEquals(List.of(500 + waiting), totals(entries));
    assertEquals(2, entries.getFirst().findings().size());
    assertInstanceOf(PinCause.HeldMonitor.class, entries.getFirst().first().finding().cause());
  }

  /** A wait for a monitor that another method holds is not explained by a hold elsewhere. */
  @Test
  void aHolderElsewhereDoesNotNameAnEntryOfWaits() {
    Frame enter = enters(session);
    List<AdviceEntry> entries =
        entries(
            pins()
                .pin(1, 500, stack(park, orders), method(1, orders))
                .pin(2, 600, stack(enter), new PinCause.MonitorEntry(enter, "X")));
    assertEquals(List.of(600L, 500L), totals(entries));
    assertInstanceOf(PinCause.MonitorEntry.class, entries.getFirst().first().finding().cause());
  }

  // What must stay apart.

  @Test
  void nothingIsNoEntry() {
    assertEquals(List.of(), entries(pins()));
  }

  /** Java 24 is the way out of both, but whoever reads it asks whose code it is. */
  @Test
  void twoLibrariesAreTwoEntries() {
    Frame pool = frame("org.apache.commons.pool2.impl.GenericObjectPool", "create", 1, 519);
    Pins pins =
        pins()
            .owner(pool.type().name(), library("org.apache.commons", "commons-pool2", "2.13.1"))
            .pin(1, 60, stack(park, other), method(1, other))
            .pin(1, 50, stack(park, pool), method(1, pool));
    List<AdviceEntry> entries = entries(pins);
    assertEquals(List.of(60L, 50L), totals(entries));
    entries.forEach(
        entry -> {
          assertInstanceOf(UpgradeJdk.class, entry.recommendation());
          assertEquals(new Freed(entry.total(), 0), entry.ofFindings());
          assertEquals(new Freed(110 * MILLI, 0), entry.freed());
        });
  }

  /** A build packed both into the program, and no POM in it tells them apart. */
  @Test
  void twoLibrariesInOneJarAreTwoEntries() {
    Owner bundled = new Owner.UnknownJar("app-all.jar");
    Frame pool = frame("org.apache.commons.httpclient.Manager", "get", 1, 518);
    Frame send = frame("com.sun.mail.smtp.SMTPTransport", "send", 1, 1120);
    Frame read = frame("com.sun.mail.util.Lines", "read", 1, 20);
    Pins pins =
        pins()
            .owner(pool.type().name(), bundled)
            .owner(send.type().name(), bundled)
            .owner(read.type().name(), bundled)
            .pin(1, 600, stack(park, pool), method(1, pool))
            .pin(1, 50, stack(park, send), method(1, send))
            .pin(1, 40, stack(park, read), method(1, read));
    assertEquals(List.of(600L, 90L), totals(entries(pins)));
  }

  /** A finding that has a way out of its own is no part of one that only a later Java frees. */
  @Test
  void aLaterJavaTakesNothingIn() {
    Pins pins =
        pins()
            .pin(1, 600, stack(park, other), method(1, other))
            .pin(1, 50, stack(park, execute), method(1, execute));
    List<AdviceEntry> entries = entries(pins);
    assertInstanceOf(UpgradeJdk.class, entries.getFirst().recommendation());
    assertInstanceOf(UpgradeLibrary.class, entries.getLast().recommendation());
    assertEquals(List.of(600L, 50L), totals(entries));
  }

  /** A native call under the monitor of another library needs a later Java besides. */
  @Test
  void aLaterJavaBesidesTakesNothingInEither() {
    Frame lookup = frame("java.net.Inet6AddressImpl", "lookupAllHostAddr", -1, -1);
    PinCause blocks =
        new NativeFrame(0, lookup, NativeFrame.Kind.JDK, Optional.of(other), Optional.empty());
    Pins pins =
        pins()
            .pin(1, 600, stack(lookup, other), blocks, method(1, other))
            .pin(1, 200, stack(park, orders), method(1, orders))
            .pin(1, 50, stack(park, execute), method(1, execute));
    List<AdviceEntry> entries = entries(pins);
    assertInstanceOf(ChangePattern.class, entries.getFirst().recommendation());
    assertEquals(List.of(new UpgradeJdk()), entries.getFirst().together());
    assertEquals(List.of(600L, 200L, 50L), totals(entries));
  }

  @Test
  void twoLocksOfOnesOwnAreTwoEntries() {
    movable(method(1, session));
    movable(method(1, channel));
    Pins pins =
        pins()
            .pin(1, 60, stack(park, session), method(1, session))
            .pin(1, 50, stack(park, channel), method(1, channel));
    assertEquals(List.of(60L, 50L), totals(entries(pins)));
  }

  /** The session alone frees most: nobody has to move the channel for that. */
  @Test
  void aCostlyLockDoesNotWaitForTheLocksOfACheapOne() {
    movable(method(1, session));
    movable(method(1, channel));
    Pins pins =
        pins()
            .pin(1, 600, stack(park, session), method(1, session))
            .pin(1, 50, stack(park, channel, session), method(1, channel), method(2, session));
    List<AdviceEntry> entries = entries(pins);
    assertEquals(List.of(600L, 50L), totals(entries));
    assertEquals(
        List.of(1, 2),
        entries.stream().map(entry -> ((Rewrite) entry.recommendation()).locks().size()).toList());
  }

  @Test
  void twoInitializersOfOnesOwnAreTwoEntries() {
    Frame codec = frame("com.example.Codec", "<clinit>", 4, 12);
    Frame table = frame("com.example.Table", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(codec.type().name(), APPLICATION)
            .owner(table.type().name(), APPLICATION)
            .pin(1, 60, stack(park, codec), new PinCause.ClassInitializer(1, codec))
            .pin(1, 50, stack(park, table), new PinCause.ClassInitializer(1, table));
    assertEquals(2, entries(pins).size());
  }

  @Test
  void whatTakesLongOrCostsSomethingIsNotMinor() {
    movable(method(1, channel));
    Pins pins = pins().pin(1, 10_000, stack(park, execute), method(1, execute));
    // One long pin, though it is under a hundredth.
    pins.pin(1, 21, stack(park, other), method(1, other));
    // One that the patch would rewrite.
    pins.pin(1, 7, stack(park, channel), method(1, channel));
    List<AdviceEntry> entries = entries(pins);
    assertEquals(List.of(10_000L, 21L, 7L), totals(entries));
    entries.forEach(entry -> assertFalse(entry.isMinor()));
  }

  /** Each is under a hundredth, all of them are not: the costliest are said. */
  @Test
  void manySmallOnesAreNotAllMinor() {
    Pins pins = pins().pin(1, 2_000, stack(park, execute), method(1, execute));
    for (int i = 0; i < 10; i++) {
      Frame each = frame("org.lib" + i + ".Pool", "take", 1, 1);
      pins.owner(each.type().name(), library("org.lib" + i, "lib", "1.0"));
      pins.pin(1, 10 + i / 5, stack(park, each), method(1, each));
    }
    Advice advice = advise(pins.findings());
    assertEquals(2, advice.minor().size());
    assertTrue(
        advice.minor().stream().mapToLong(AdviceEntry::total).sum()
            <= Entries.MINOR_SHARE * pins.findings().cost().totalNanos());
    assertEquals(9, advice.main().size());
  }

  @Test
  void aRecordingWithLittleHasNothingMinorInIt() {
    Pins pins =
        pins()
            .parallelismUnknown()
            .pin(1, 3, stack(park, execute), method(1, execute))
            .pin(1, 2, stack(park, other), method(1, other));
    assertEquals(List.of(), advise(pins.findings()).minor());
  }

  // What belongs together.

  /** Java 24 frees everything from any of them; that makes none of them dear. */
  @Test
  void whatCostsMostComesFirst() {
    Frame pool = frame("org.apache.commons.pool2.impl.GenericObjectPool", "create", 1, 519);
    Pins pins =
        pins()
            .owner(pool.type().name(), library("org.apache.commons", "commons-pool2", "2.13.1"))
            .pin(1, 4_300, stack(park, execute), method(1, execute))
            .pin(1, 45, stack(park, other), method(1, other))
            .pin(1, 9, stack(park, pool), method(1, pool));
    Advice advice = advise(pins.findings());
    assertEquals(List.of(4_300L, 45L), totals(advice.main()));
    assertInstanceOf(UpgradeLibrary.class, advice.main().getFirst().recommendation());
    assertEquals(List.of(9L), totals(advice.minor()));
  }

  @Test
  void oneUpgradeIsOneEntry() {
    Frame statement = frame("org.postgresql.jdbc.PgStatement", "execute", 20, 411);
    Frame stream = frame("org.postgresql.core.PGStream", "receive", 20, 100);
    Pins pins = pins();
    for (Frame each : List.of(statement, stream)) {
      pins.owner(each.type().name(), POSTGRES);
    }
    pins.pin(1, 500, stack(park, execute, statement), method(1, execute), method(2, statement));
    pins.pin(1, 300, stack(park, statement), method(1, statement));
    // Inside of what is known to be fixed, on stacks that ran.
    pins.pin(1, 100, stack(park, stream, execute), method(1, stream), method(2, execute));
    List<AdviceEntry> entries = entries(pins);
    assertEquals(1, entries.size());
    assertEquals(3, entries.getFirst().findings().size());
    assertEquals(new Freed(900 * MILLI, 0), entries.getFirst().freed());
  }

  @Test
  void whatTheCostlierRewriteFreesIsPartOfIt() {
    movable(method(1, session));
    movable(method(1, channel));
    Pins pins =
        pins()
            .pin(1, 600, stack(park, channel, session), method(1, channel), method(2, session))
            .pin(1, 50, stack(park, session), method(1, session));
    List<AdviceEntry> entries = entries(pins);
    assertEquals(List.of(650L), totals(entries));
    assertEquals(new Freed(650 * MILLI, 0), entries.getFirst().freed());
  }

  @Test
  void classesToLoadEarlyAreOneEntry() {
    Frame url = frame("com.mysql.cj.conf.ConnectionUrl", "<clinit>", 4, 12);
    Frame netty = frame("io.netty.util.Recycler", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(url.type().name(), library("com.mysql", "mysql-connector-j", "9.0.0"))
            .owner(netty.type().name(), library("io.netty", "netty-common", "4.1"))
            .pin(1, 600, stack(park, url, orders), new PinCause.ClassInitializer(1, url))
            .pin(1, 500, stack(park, netty, orders), new PinCause.ClassInitializer(1, netty))
            .pin(1, 400, stack(park, session, orders), new PinCause.ClassLoading(1, session));
    AdviceEntry only = entries(pins).getFirst();
    assertTrue(only.ofMany().isPresent());
    assertTrue(only.staysSince24());
    assertEquals(3, only.findings().size());
    assertEquals(new Freed(1500 * MILLI, 0), only.freed());
    assertEquals(3, ((ChangePattern) only.recommendation()).sites().size());
  }

  /** On 21 they also wait for each other at the monitors of the JDK's loader. */
  @Test
  void whoWaitsForAClassLoaderLoadsAClass() {
    Frame loader = frame("jdk.internal.loader.BuiltinClassLoader", "loadClassOrNull", 9, 600);
    Frame url = frame("com.mysql.cj.conf.ConnectionUrl", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(loader.type().name(), new Owner.Jdk())
            .owner(url.type().name(), library("com.mysql", "mysql-connector-j", "9.0.0"))
            .pin(1, 600, stack(park, url, orders), new PinCause.ClassInitializer(1, url))
            .pin(1, 500, stack(loader, orders), new PinCause.MonitorEntry(loader, "X"))
            .pin(1, 400, stack(park, loader, orders), method(1, loader));
    assertEquals(List.of(1500L), totals(entries(pins)));
    assertFalse(entries(pins).getFirst().needsLaterJava());
  }

  /** A class that is loaded early is not waited for: then nothing has to be done about the lock. */
  @Test
  void whatIsHeldAroundAClassToLoadEarlyStays() {
    Frame url = frame("com.mysql.cj.conf.ConnectionUrl", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(url.type().name(), library("com.mysql", "mysql-connector-j", "9.0.0"))
            .pin(
                1,
                60,
                stack(park, url, other),
                new PinCause.ClassInitializer(1, url),
                method(2, other));
    AdviceEntry entry = entries(pins).getFirst();
    assertEquals(List.of(), entry.together());
    assertEquals(new Freed(60 * MILLI, 0), entry.ofFindings());
  }

  /** Nothing tells that the class is the user's own: then he is not told to change it. */
  @Test
  void aClassOfNobodyKnowsWhomIsToBeLoadedEarly() {
    Frame url = frame("com.mysql.cj.conf.ConnectionUrl", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(url.type().name(), library("com.mysql", "mysql-connector-j", "9.0.0"))
            .pin(1, 60, stack(park, url, orders), new PinCause.ClassInitializer(1, url))
            .pin(2, 50, stack(orders), new PinCause.AwaitedInitialization("com.mysql.cj.Settings"));
    assertEquals(List.of(110L), totals(entries(pins)));
    assertTrue(entries(pins).getFirst().ofMany().isPresent());
  }

  /** The thread that initializes a class and those that wait for it. */
  @Test
  void anInitializerAndItsWaitersAreOneEntry() {
    Frame codec = frame("com.example.Codec", "<clinit>", 4, 12);
    Pins pins =
        pins()
            .owner(codec.type().name(), APPLICATION)
            .pin(1, 60, stack(park, codec), new PinCause.ClassInitializer(1, codec))
            .pin(2, 50, stack(orders), new PinCause.AwaitedInitialization(codec.type().name()));
    assertEquals(List.of(110L), totals(entries(pins)));
  }

  @Test
  void whatIsHarmlessIsOneMinorEntryAndTheRestStays() {
    Pins pins = pins().pin(1, 600, stack(park, execute), method(1, execute));
    for (int i = 0; i < 12; i++) {
      Frame each = frame("org.sqlite.core.C" + i, "run", 1, 1);
      pins.pin(i, 1 + i % 3, stack(park, each), method(1, each));
    }
    Advice advice = advise(pins.findings());
    assertEquals(List.of(600L), totals(advice.main()));
    AdviceEntry minor = advice.minor().getFirst();
    assertEquals(12, minor.findings().size());
    assertEquals(24, minor.total() / MILLI);
    assertEquals(
        3 * MILLI,
        assertInstanceOf(
                Why.Harmless.class, assertInstanceOf(Keep.class, minor.recommendation()).why())
            .longestNanos());
  }

  /** A lookup in a map, and what leads there. */
  @Test
  void oneSlowLoaderOfACacheIsOneEntry() {
    Frame compute = frame("java.util.concurrent.ConcurrentHashMap", "compute", 9, 1950);
    Frame cache = frame("com.github.benmanes.caffeine.cache.BoundedLocalCache", "remap", 1, 1);
    Frame load = frame("com.github.benmanes.caffeine.cache.LocalLoadingCache", "load", 1, 9);
    Owner caffeine = library("com.github.ben-manes.caffeine", "caffeine", "3.2.0");
    Frame entry = new Frame(compute.type(), "compute", "()V", 0x20, 9, 1950, Frame.Kind.COMPILED);
    Pins pins =
        pins()
            .owner(compute.type().name(), new Owner.Jdk())
            .owner(cache.type().name(), caffeine)
            .owner(load.type().name(), caffeine)
            .pin(1, 90, stack(park, compute, cache), block(1, compute, 4, 9))
            .pin(2, 80, stack(park, compute, load), block(1, compute, 4, 9))
            .pin(3, 70, stack(entry, cache), new PinCause.MonitorEntry(entry, "java.lang.Object"));
    assertEquals(List.of(240L), totals(entries(pins)));
  }

  @Test
  void placesThatLedToSeveralFindingsAreCountedTogether() {
    Frame statement = frame("org.postgresql.jdbc.PgStatement", "execute", 20, 411);
    Pins pins = pins().owner(statement.type().name(), POSTGRES);
    pins.pin(1, 500, stack(park, execute, session), method(1, execute));
    pins.pin(1, 400, stack(park, execute, orders), method(1, execute));
    pins.pin(1, 300, stack(park, statement, orders), method(1, statement));
    AdviceEntry entry = entries(pins).getFirst();
    assertEquals(
        List.of(new Pin.ReachedFrom(orders, 2), new Pin.ReachedFrom(session, 1)),
        entry.reachedFrom());
  }

  /** Whatever was pinned, each finding is in one entry, and no time is lost or counted twice. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyFindingIsInOneEntry(long seed) {
    Random random = new Random(seed);
    List<Frame> all = List.of(session, channel, execute, other, frame("org.x.Y", "z", 1, 1));
    movable(method(1, session));
    if (random.nextBoolean()) {
      movable(method(1, channel));
    }
    Pins pins = pins();
    for (int i = 0; i < 60; i++) {
      Frame inner = all.get(random.nextInt(all.size()));
      Frame outer = all.get(random.nextInt(all.size()));
      StackTrace stack = stack(park, inner, outer);
      long millis = random.nextInt(4) == 0 ? 1 + random.nextInt(400) : 1 + random.nextInt(4);
      if (inner.equals(outer)) {
        pins.pin(i, millis, stack, method(1, inner));
      } else {
        pins.pin(i, millis, stack, method(1, inner), method(2, outer));
      }
    }
    Findings findings = pins.findings();
    Advice advice = advise(findings);
    Set<Pin> seen = new HashSet<>();
    advice.entries().forEach(entry -> entry.findings().forEach(f -> assertTrue(seen.add(f))));
    assertEquals(Set.copyOf(findings.pins()), seen);
    assertEquals(
        findings.cost().totalNanos(),
        advice.entries().stream().mapToLong(AdviceEntry::total).sum());
    List<Long> totals = totals(advice.main());
    assertEquals(totals.stream().sorted((a, b) -> Long.compare(b, a)).toList(), totals);
  }
}
