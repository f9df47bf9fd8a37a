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
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.ClassRef;
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
import io.github.vtdiag.upgrade.MonitorFate;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.VersionCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdvisorTest {
  private static final Owner APPLICATION = new Owner.Application("app.jar!/BOOT-INF/classes");

  private final Frame park = frame("java.lang.VirtualThread", "park", 7, 582);
  private final Frame session = frame("com.example.Session", "query", 3, 10);
  private final Frame channel = frame("com.example.Channel", "exchange", 5, 20);
  private final Map<String, Lock> locks = new HashMap<>();

  /** The locks that can move; all others are declined. */
  private Decision ladder(LockSite site) {
    Lock lock = locks.get(site.type().name());
    return lock == null
        ? new Decision.Declined(RefusalReason.CLASS_UNKNOWN, "no bytes", List.of(site))
        : new Decision.Movable(lock);
  }

  private static Lock lockOf(Frame frame, LockSite... sites) {
    return Locks.of(frame.type().name(), List.of(sites), List.of());
  }

  private AdvisorTest movable(Frame frame, PinCause.HeldMonitor held) {
    locks.put(frame.type().name(), lockOf(frame, held.site()));
    return this;
  }

  private Advice advise(Pins pins) {
    return Advisor.advise(pins.findings(), KnownFixes.load(), this::ladder, type -> false);
  }

  private Advised only(Pins pins) {
    List<Advised> all = advise(pins).advised();
    assertEquals(1, all.size());
    return all.getFirst();
  }

  private Pins own() {
    return new Pins()
        .owner(session.type().name(), APPLICATION)
        .owner(channel.type().name(), APPLICATION);
  }

  private static Owner library(String group, String artifact, String version) {
    return new Owner.Library(new Coordinates(group, artifact, version), artifact + ".jar");
  }

  private static <T extends Why> T why(Class<T> type, Advised advised) {
    return assertInstanceOf(type, assertInstanceOf(Keep.class, advised.recommendation()).why());
  }

  private static boolean offers(Class<? extends Recommendation> type, Advised advised) {
    return Stream.concat(
            Stream.concat(Stream.of(advised.recommendation()), advised.together().stream()),
            advised.alternatives().stream().map(Advised.Alternative::recommendation))
        .anyMatch(type::isInstance);
  }

  /** Returns the advice on long pins at a monitor of the program that has to stay. */
  private Advised declined(RefusalReason reason, String text) {
    return Advisor.advise(
            own().pin(1, 900, stack(park, session), method(1, session)).findings(),
            KnownFixes.load(),
            site -> new Decision.Declined(reason, text, List.of(site)),
            type -> false)
        .advised()
        .getFirst();
  }

  @Test
  void slowWorkUnderTheMonitorOfACollectionGoesToACopy() {
    Advised advised = declined(RefusalReason.JDK_COLLECTION, "it locks itself");
    assertEquals(
        DesignPatterns.WORK_ON_COPY,
        assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern());
    assertTrue(advised.reason().contains("it locks itself"), advised.reason());
  }

  /** A lock for each key is one of the program's own, which nobody but a person can change. */
  @Test
  void aLockThatIsTheValueOfAMapGoesToAReentrantLockInTheMap() {
    Advised advised = declined(RefusalReason.VALUE_OF_MAP, "a value of a map");
    assertEquals(
        DesignPatterns.LOCK_IN_MAP,
        assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern());
  }

  // What must not be recommended.

  @Test
  void noPinsNoAdvice() {
    Advice advice = advise(new Pins());
    assertEquals(List.of(), advice.advised());
    assertEquals(List.of(), advice.entries());
    assertEquals(new Freed(0, 0), advice.all());
  }

  @Test
  void aShortHarmlessLockIsLeftAlone() {
    movable(session, method(1, session));
    Advised advised = only(own().pin(1, 5, stack(park, session), method(1, session)));
    assertEquals(5 * MILLI, why(Why.Harmless.class, advised).longestNanos());
    assertEquals(List.of(), advised.alternatives());
  }

  @Test
  void aClassIsLoadedAndInitializedOnce() {
    PinCause loading = new PinCause.ClassLoading(1, session);
    assertEquals(
        90 * MILLI,
        why(Why.Harmless.class, only(own().pin(1, 90, stack(park, session), loading)))
            .longestNanos());
    assertFalse(offers(Keep.class, only(own().pin(1, 210, stack(park, session), loading))));
    PinCause ofJdk = new PinCause.AwaitedInitialization("sun.nio.ch.Poller");
    assertTrue(offers(Keep.class, only(own().pin(1, 166, stack(park, session), ofJdk))));
    PinCause ofOther = new PinCause.AwaitedInitialization("org.hibernate.Entry$State");
    assertTrue(offers(Keep.class, only(own().pin(1, 20, stack(park, session), ofOther))));
    assertFalse(offers(Keep.class, only(own().pin(1, 21, stack(park, session), ofOther))));
    Pins many = own();
    for (int i = 0; i < 14; i++) {
      many.pin(i, 90, stack(park, session), loading);
    }
    assertFalse(offers(Keep.class, only(many)));
  }

  @Test
  void whatIsLongOrManyOrOfUnknownShareIsNotCalledHarmless() {
    movable(session, method(1, session));
    assertFalse(
        offers(Keep.class, only(own().pin(1, 6, stack(park, session), method(1, session)))));
    Pins many = own();
    for (int i = 0; i < 249; i++) {
      many.pin(i, 5, stack(park, session), method(1, session));
    }
    assertFalse(offers(Keep.class, only(many)));
    Pins unknown = own().parallelismUnknown();
    assertFalse(
        offers(Keep.class, only(unknown.pin(1, 5, stack(park, session), method(1, session)))));
  }

  @Test
  void framesOfTheJdkAreNotRewritten() {
    Frame buffer = frame("java.lang.StringBuffer", "append", 9, 500);
    movable(buffer, method(1, buffer));
    Pins pins = own().owner(buffer.type().name(), new Owner.Jdk());
    Advised advised = only(pins.pin(1, 50, stack(park, buffer, session), method(1, buffer)));
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertFalse(offers(Rewrite.class, advised));
  }

  @Test
  void librariesAreNotRewritten() {
    movable(session, method(1, session));
    Pins pins = new Pins().owner(session.type().name(), library("com.example", "db", "1.0"));
    Advised advised = only(pins.pin(1, 50, stack(park, session), method(1, session)));
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertFalse(offers(Rewrite.class, advised));
    assertFalse(offers(UpgradeLibrary.class, advised));
  }

  private static final String NAME_SOURCES =
      "; if it is your own code, name its sources with --sources";

  /** Who named sources has named those of the own code, and who is known to be somebody else is. */
  @Test
  void sourcesAreAskedForOnlyWhereTheyMayHelp() {
    Owner known = library("com.example", "db", "1.0");
    Owner maybeOwn =
        new Owner.Library(
            new Coordinates("", "db", "1.0", Coordinates.Evidence.FILE_NAME), "db-1.0.jar");
    OwnSources named =
        new OwnSources() {
          @Override
          public boolean has(ClassRef type) {
            return false;
          }

          @Override
          public boolean areNamed() {
            return true;
          }
        };
    assertEquals("no fixed version of com.example:db 1.0 is known", reason(known, type -> false));
    assertEquals("no fixed version of com.example:db 1.0 is known", reason(known, named));
    assertEquals("no fixed version of db 1.0 is known", reason(maybeOwn, named));
    assertEquals(
        "no fixed version of db 1.0 is known" + NAME_SOURCES, reason(maybeOwn, type -> false));
    Owner unknown = new Owner.UnknownJar("app.jar");
    assertFalse(reason(unknown, named).contains("--sources"));
    assertTrue(reason(unknown, type -> false).endsWith(NAME_SOURCES));
  }

  /** A jar in a fat jar has coordinates without a group: its packages tell. */
  @Test
  void sourcesAreNotAskedForWhereThePackagesAreOfSomebodyElse() {
    Frame tomcat = frame("org.apache.coyote.Handler", "register", 3, 10);
    Owner embedded =
        new Owner.Library(
            new Coordinates(
                "", "tomcat-embed-core", "10.1", Coordinates.Evidence.NAME_AND_MANIFEST),
            "app.jar!/BOOT-INF/lib/tomcat-embed-core-10.1.jar");
    String none = "no fixed version of tomcat-embed-core 10.1 is known";
    Pins alone = new Pins().owner(tomcat.type().name(), embedded);
    alone.pin(1, 50, stack(park, tomcat), method(1, tomcat));
    assertEquals(none + NAME_SOURCES, only(alone).reason());
    Pins called = own().owner(tomcat.type().name(), embedded);
    called.pin(1, 50, stack(park, tomcat, session), method(1, tomcat));
    assertEquals(none, only(called).reason());
    Frame common = frame("com.example.common.Cache", "get", 3, 10);
    Pins related = own().owner(common.type().name(), embedded);
    related.pin(1, 50, stack(park, common, session), method(1, common));
    assertEquals(none + NAME_SOURCES, only(related).reason());
    // The same of a jar that does not tell its libraries apart.
    Owner packed = new Owner.UnknownJar("app-all.jar");
    assertTrue(only(alone.owner(tomcat.type().name(), packed)).reason().endsWith(NAME_SOURCES));
    assertFalse(only(called.owner(tomcat.type().name(), packed)).reason().contains("--sources"));
    assertTrue(only(related.owner(common.type().name(), packed)).reason().endsWith(NAME_SOURCES));
  }

  /** A jar that was read is not asked for again. */
  @Test
  void aJarIsAskedForOnlyIfItIsNotHere(@TempDir Path folder) throws IOException {
    OwnSources none = type -> false;
    Path jar = folder.resolve("app-all.jar");
    assertEquals(
        "app-all.jar is not on this machine: name it with --classpath" + NAME_SOURCES,
        reason(new Owner.UnknownJar(jar.toString()), none));
    Files.createFile(jar);
    String read = "app-all.jar does not tell which library this code belongs to" + NAME_SOURCES;
    assertEquals(read, reason(new Owner.UnknownJar(jar.toString()), none));
    assertEquals(
        "db.jar does not tell which library this code belongs to" + NAME_SOURCES,
        reason(new Owner.UnknownJar(jar + "!/BOOT-INF/lib/db.jar"), none));
  }

  private String reason(Owner owner, OwnSources sources) {
    Pins pins = new Pins().owner(session.type().name(), owner);
    pins.pin(1, 50, stack(park, session), method(1, session));
    return Advisor.advise(pins.findings(), KnownFixes.load(), this::ladder, sources)
        .advised()
        .getFirst()
        .reason();
  }

  @Test
  void butTheUsersOwnSourcesAre() {
    movable(session, method(1, session));
    Pins pins = new Pins().owner(session.type().name(), library("com.example", "db", "1.0"));
    pins.pin(1, 50, stack(park, session), method(1, session));
    Advised advised =
        Advisor.advise(
                pins.findings(),
                KnownFixes.load(),
                this::ladder,
                type -> type.name().equals("com.example.Session"))
            .advised()
            .getFirst();
    assertInstanceOf(Rewrite.class, advised.recommendation());
  }

  /** Session is held around every call of the channel, and must stay. */
  @Test
  void oneOfTwoMonitorsIsNotMovedAlone() {
    movable(channel, method(1, channel));
    Advised advised =
        only(
            own()
                .pin(1, 50, stack(park, channel, session), method(1, channel), method(2, session)));
    assertEquals("com.example.Session.query", why(Why.HeldTogether.class, advised).other().name());
    assertEquals(0, advised.effect().freed().upTo());
    assertFalse(offers(Rewrite.class, advised));
  }

  /** Since JDK 24 selectors of virtual threads wait without their carriers. */
  @ParameterizedTest
  @CsvSource({"21, true", "25, false"})
  void aSelectorOfALibraryDoesNotPinOnALaterJava(int jdk, boolean gone) {
    Frame select =
        new Frame(
            new ClassRef("sun.nio.ch.EPoll", ""), "wait", "()V", 0, -1, -1, Frame.Kind.NATIVE);
    Frame lookup = frame("java.net.Inet6AddressImpl", "lookupAllHostAddr", -1, -1);
    Frame jetty = frame("org.eclipse.jetty.io.ManagedSelector", "nioSelect", 3, 181);
    for (Frame frame : List.of(select, lookup)) {
      Pins pins =
          new Pins()
              .jdk(jdk)
              .owner(jetty.type().name(), library("org.eclipse.jetty", "jetty-io", "11.0.25"));
      PinCause blocks =
          new NativeFrame(0, frame, NativeFrame.Kind.JDK, Optional.of(jetty), Optional.empty());
      Advised advised = only(pins.pin(1, 50, stack(frame, jetty), blocks));
      assertEquals(
          gone && frame.equals(select),
          advised.recommendation() instanceof UpgradeJdk,
          "on Java " + jdk);
    }
  }

  /** No user calls what a server's own threads run. */
  @Test
  void onlyACallOfTheApplicationCanGoToPlatformThreads() {
    Frame register = frame("org.apache.coyote.AbstractProtocol", "register", 3, 10);
    Owner tomcat = library("org.apache.tomcat.embed", "tomcat-embed-core", "11.0.2");
    Pins inside = own().owner(register.type().name(), tomcat);
    Advised server = only(inside.pin(1, 90, stack(park, register), method(1, register)));
    assertInstanceOf(UpgradeJdk.class, server.recommendation());
    assertFalse(offers(ChangePattern.class, server));
    Pins called = own().owner(register.type().name(), tomcat);
    Advised own = only(called.pin(1, 90, stack(park, register, session), method(1, register)));
    assertTrue(offers(ChangePattern.class, own));
  }

  /** Nothing can be fetched beforehand for a call that waits in native code itself. */
  @ParameterizedTest
  @CsvSource({"21", "25"})
  void blockingInNativeCodeGoesToPlatformThreads(int jdk) {
    Frame step = frame("org.sqlite.core.NativeDB", "step", -1, -1);
    Pins pins =
        new Pins().jdk(jdk).owner(step.type().name(), library("org.xerial", "sqlite-jdbc", "3.46"));
    PinCause blocks =
        new NativeFrame(0, step, NativeFrame.Kind.JNI, Optional.of(session), Optional.empty());
    Advised advised = only(pins.pin(1, 50, stack(step, session), blocks));
    assertEquals(
        DesignPatterns.PLATFORM_EXECUTOR,
        assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern());
    assertFalse(offers(UpgradeJdk.class, advised));
  }

  @ParameterizedTest
  @CsvSource({"21", "25"})
  void aNativeFrameStaysOnEveryJdk(int jdk) {
    Frame step = frame("org.sqlite.core.NativeDB", "step", -1, -1);
    Pins pins =
        new Pins().jdk(jdk).owner(step.type().name(), library("org.xerial", "sqlite-jdbc", "3.46"));
    Advised advised = only(pins.pin(1, 50, stack(park, session, step), Pins.nativeMethod(2, step)));
    assertEquals(
        DesignPatterns.OUT_OF_NATIVE_CALL,
        assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern());
    assertFalse(offers(UpgradeJdk.class, advised));
    assertFalse(offers(UpgradeLibrary.class, advised));
    assertFalse(offers(Rewrite.class, advised));
  }

  /**
   * A monitor of the JDK that a library's reflection waits for: the native frame below it is not
   * code that could fetch anything beforehand.
   */
  @ParameterizedTest
  @CsvSource({
    "JDK, java.lang.ClassLoader, loadClass, WARM_UP_CALL",
    "JDK, com.example.Rows, next, OUT_OF_NATIVE_CALL",
    "JNI, java.lang.ClassLoader, loadClass, OUT_OF_NATIVE_CALL"
  })
  void reflectionThatLoadsClassesIsDoneEarly(
      NativeFrame.Kind kind, String back, String method, String pattern) {
    Frame load = frame("java.util.zip.ZipFile", "getEntry", 4, 338);
    Frame loader = frame(back, method, 3, 526);
    Frame methods = frame("java.lang.Class", "getDeclaredMethods0", -1, -1);
    Frame handler = frame("io.lettuce.core.Handler", "getMethods", 20, 205);
    Pins pins =
        new Pins()
            .owner(load.type().name(), new Owner.Jdk())
            .owner(methods.type().name(), new Owner.Jdk())
            .owner(loader.type().name(), new Owner.Jdk())
            .owner(handler.type().name(), library("io.lettuce", "lettuce-core", "6.5.0"));
    PinCause entry = new PinCause.MonitorEntry(load, "java.util.zip.ZipFile");
    PinCause blocks = new NativeFrame(2, methods, kind, Optional.of(handler), Optional.of(loader));
    Advised advised = only(pins.pin(1, 900, stack(load, loader, methods, handler), entry, blocks));
    assertEquals(
        List.of(pattern),
        Stream.concat(Stream.of(advised.recommendation()), advised.together().stream())
            .filter(ChangePattern.class::isInstance)
            .map(each -> ((ChangePattern) each).pattern().id())
            .toList());
  }

  @Test
  void aClassInitializerStaysOnEveryJdk() {
    Frame codec = frame("com.example.Codec", "<clinit>", 4, 12);
    Pins pins = new Pins().owner(codec.type().name(), APPLICATION);
    Advised advised =
        only(pins.pin(1, 50, stack(park, codec), new PinCause.ClassInitializer(1, codec)));
    assertEquals(
        DesignPatterns.OUT_OF_INITIALIZER,
        assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern());
    assertFalse(offers(UpgradeJdk.class, advised));
  }

  /** Nobody can be told to change an initializer that nobody can name. */
  @Test
  void onlyAnInitializerOfOnesOwnIsToBeChanged() {
    assertEquals(DesignPatterns.WARM_UP_CLASS, awaited("", APPLICATION));
    assertEquals(
        DesignPatterns.WARM_UP_CLASS,
        awaited("org.postgresql.Driver", library("org.postgresql", "postgresql", "42.7.4")));
    assertEquals(DesignPatterns.OUT_OF_INITIALIZER, awaited("com.example.Codec", APPLICATION));
  }

  private DesignPattern awaited(String type, Owner owner) {
    Advised advised =
        only(
            new Pins()
                .owner(type, owner)
                .pin(1, 50, stack(park, session), new PinCause.AwaitedInitialization(type)));
    assertFalse(offers(UpgradeJdk.class, advised));
    return assertInstanceOf(ChangePattern.class, advised.recommendation()).pattern();
  }

  private Advised postgres(String version, String type, String method) {
    Frame execute = frame(type, method, 20, 326);
    return only(
        new Pins()
            .owner(type, library("org.postgresql", "postgresql", version))
            .pin(1, 50, stack(park, execute), method(1, execute)));
  }

  /** Rows that MySQL 8.0.33 streams: the line names other holders of the driver. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8.0.33|com.mysql.cj.jdbc.result.ResultSetImpl|9.0.0 replaced the monitors of"
            + " StatementImpl, ConnectionImpl and ClientPreparedStatement (ran on 21 by vtdiag:"
            + " 77/s with pins, 1,014/s without; prepared statements without pins, too); whether"
            + " ResultSetImpl.execute is among them: --upgrades",
        "9.0.0|com.mysql.cj.jdbc.result.ResultSetImpl|no fixed version of"
            + " com.mysql:mysql-connector-j 9.0.0 is known",
        "9.0.0|com.mysql.cj.jdbc.StatementImpl|this monitor pins although 9.0.0 is listed as fixed"
      })
  void aLineOfOtherMonitorsOfTheLibraryIsNamed(String version, String type, String reason) {
    Frame execute = frame(type, "execute", 20, 326);
    Advised advised =
        only(
            new Pins()
                .owner(type, library("com.mysql", "mysql-connector-j", version))
                .pin(1, 50, stack(park, execute), method(1, execute)));
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertEquals(reason, advised.reason());
  }

  /** The user's own lock around that driver can go, and not alone. */
  @Test
  void whatALineSaysOfAMonitorOnTheSameStacksIsTheReason() {
    movable(session, method(1, session));
    Frame execute = frame("com.mysql.cj.jdbc.result.ResultSetImpl", "execute", 20, 326);
    Pins pins =
        own()
            .owner(execute.type().name(), library("com.mysql", "mysql-connector-j", "8.0.33"))
            .pin(1, 50, stack(park, session, execute), method(1, session), method(2, execute));
    Advised advised = only(pins);
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertTrue(
        advised
            .reason()
            .startsWith(
                "com.mysql.cj.jdbc.result.ResultSetImpl.execute is held on the same stacks and"
                    + " has to go as well: 9.0.0 replaced"),
        advised::reason);
  }

  @ParameterizedTest
  @CsvSource({
    "42.6.0,org.postgresql.core.v3.QueryExecutorImpl",
    "42.7.4,org.postgresql.core.v3.QueryExecutorImpl",
    "'',org.postgresql.core.v3.QueryExecutorImpl",
    "42.5.4,org.postgresql.copy.PGCopyInputStream"
  })
  void noUpgradeToAVersionThatRunsOrThatIsNotKnownToHelp(String version, String type) {
    Advised advised = postgres(version, type, "execute");
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertFalse(offers(UpgradeLibrary.class, advised));
  }

  @Test
  void whatIsNotExplainedIsNotAdvisedOn() {
    Advised advised =
        only(new Pins().pin(1, 50, StackTrace.ABSENT, new PinCause.Unexplained("no stack")));
    why(Why.NotExplained.class, advised);
    assertEquals(List.of(), advised.alternatives());
    assertEquals(new Freed(0, 0), advised.effect().freed());
  }

  @Test
  void withoutClassBytesNothingIsRewrittenButJdk24IsOffered() {
    Advised advised = only(own().pin(1, 50, stack(park, session), method(1, session)));
    assertEquals(RefusalReason.CLASS_UNKNOWN, why(Why.Refused.class, advised).declined().rung());
    assertTrue(offers(UpgradeJdk.class, advised));
    assertFalse(offers(Rewrite.class, advised));
  }

  @Test
  void aStackThatWasCutOffIsNotSurelyFreed() {
    movable(session, method(1, session));
    StackTrace cut = new StackTrace(List.of(park, session), true);
    Advised advised = only(own().pin(1, 50, cut, method(1, session)));
    assertInstanceOf(Rewrite.class, advised.recommendation());
    assertEquals(new Freed(0, 50 * MILLI), advised.effect().freed());
  }

  // What is recommended.

  @Test
  void allMonitorsOfAStackMoveTogether() {
    movable(channel, method(1, channel)).movable(session, method(2, session));
    Pins pins = own();
    pins.pin(1, 50, stack(park, channel, session), method(1, channel), method(2, session));
    pins.pin(1, 30, stack(park, session), method(1, session));
    Advice advice = advise(pins);
    Advised both = advice.advised().getFirst();
    Rewrite rewrite = assertInstanceOf(Rewrite.class, both.recommendation());
    assertEquals(
        List.of(locks.get("com.example.Channel"), locks.get("com.example.Session")),
        rewrite.locks());
    assertEquals(50 * MILLI, both.effect().ofFinding().nanos());
    assertEquals(80 * MILLI, both.effect().freed().nanos());
    // Doing the blocking call outside of one of the two locks is no way out either.
    assertEquals(
        List.of(new UpgradeJdk()),
        both.alternatives().stream().map(Advised.Alternative::recommendation).toList());
    // The session alone frees the pins that hold nothing else.
    assertEquals(30 * MILLI, advice.advised().getLast().effect().freed().nanos());
    assertEquals(80 * MILLI, advice.all().nanos());
    assertEquals(
        List.of(80 * MILLI),
        advice.entries().stream().map(entry -> entry.freed().nanos()).toList());
  }

  @Test
  void anUpgradeNamesVersionsAndEvidence() {
    Advised advised = postgres("42.5.4", "org.postgresql.core.v3.QueryExecutorImpl", "execute");
    UpgradeLibrary upgrade = assertInstanceOf(UpgradeLibrary.class, advised.recommendation());
    assertEquals("42.5.4", upgrade.from());
    assertEquals("42.6.0", upgrade.to());
    assertTrue(advised.reason().contains("978/s without"), advised::reason);
    assertTrue(offers(UpgradeJdk.class, advised));
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
  }

  /** A run showed whole stacks without pins: then what was held around it is gone too. */
  @Test
  void aFixThatRanFreesWhatTheLibraryHeldAround() {
    Frame execute = frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
    Frame other = frame("org.postgresql.jdbc.PgConnection", "run", 60, 485);
    Owner postgres = library("org.postgresql", "postgresql", "42.5.4");
    Pins pins =
        own()
            .owner(execute.type().name(), postgres)
            .owner(other.type().name(), postgres)
            .pin(1, 50, stack(park, execute, other), method(1, execute), method(2, other));
    assertEquals(50 * MILLI, only(pins).effect().freed().nanos());
  }

  /** MySQL 8.0.33: the innermost monitor is in a class that no line names. */
  @Test
  void aFixThatRanCountsForWhatTheLibraryHeldInside() {
    Frame read = frame("com.mysql.cj.protocol.ReadAheadInputStream", "read", 3, 166);
    Frame query = frame("com.mysql.cj.jdbc.StatementImpl", "executeQuery", 40, 1100);
    Owner mysql = library("com.mysql", "mysql-connector-j", "8.0.33");
    Pins pins =
        own()
            .owner(read.type().name(), mysql)
            .owner(query.type().name(), mysql)
            .pin(1, 50, stack(park, read, query), method(1, read), method(2, query));
    Advised advised = only(pins);
    UpgradeLibrary upgrade = assertInstanceOf(UpgradeLibrary.class, advised.recommendation());
    assertEquals("9.0.0", upgrade.to());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
  }

  /** A pin of a library that no line knows; {@code fate} is what another version does. */
  private Advised read(Coordinates coordinates, MonitorFate fate, boolean isFirstFree) {
    Frame query = frame("com.example.db.Query", "run", 3, 30);
    Pins pins =
        own()
            .owner(query.type().name(), new Owner.Library(coordinates, "db.jar"))
            .pin(1, 50, stack(park, query), method(1, query));
    Site site = pins.findings().pins().getFirst().site();
    Upgrade upgrade =
        new Upgrade(
            coordinates,
            "com.example:db-new",
            List.of(site),
            List.of(new VersionCheck("com.example:db-new", "2.0", Map.of(site, fate), List.of())),
            Optional.of("2.0"),
            Optional.empty(),
            isFirstFree ? Optional.of("2.0") : Optional.empty(),
            0,
            1,
            List.of());
    return Advisor.advise(
            pins.findings(),
            KnownFixes.load().withRead(List.of(upgrade)),
            this::ladder,
            type -> false)
        .advised()
        .getFirst();
  }

  @Test
  void whatIsStillTakenInTheNewestIsNotUpgraded() {
    Advised advised =
        read(new Coordinates("com.example", "db", "1.0"), new MonitorFate.Taken(""), false);
    assertFalse(offers(UpgradeLibrary.class, advised));
    assertEquals(
        "no version that was read is free: in 2.0 the monitor on these stacks is still taken"
            + " (com.example.db.Query.run) (read from its classes, not run)",
        advised.reason());
  }

  @Test
  void whatWasReadOfAnotherVersionThatRanSaysNothing() {
    Frame query = frame("com.example.db.Query", "run", 3, 30);
    Coordinates other = new Coordinates("com.example", "db", "1.1");
    Pins pins =
        own()
            .owner(query.type().name(), library("com.example", "db", "1.0"))
            .pin(1, 50, stack(park, query), method(1, query));
    Upgrade upgrade =
        new Upgrade(
            other,
            "com.example:db",
            List.of(),
            List.of(new VersionCheck("com.example:db-new", "2.0", Map.of(), List.of())),
            Optional.of("2.0"),
            Optional.empty(),
            Optional.of("2.0"),
            0,
            1,
            List.of());
    Advice advice =
        Advisor.advise(
            pins.findings(),
            KnownFixes.load().withRead(List.of(upgrade)),
            this::ladder,
            type -> false);
    assertFalse(offers(UpgradeLibrary.class, advice.advised().getFirst()));
  }

  @Test
  void aVersionWhoseClassesAreFreeIsAdvisedAsReadAndNotRun() {
    Advised advised =
        read(new Coordinates("com.example", "db", "1.0"), new MonitorFate.Locked(), true);
    UpgradeLibrary upgrade = assertInstanceOf(UpgradeLibrary.class, advised.recommendation());
    assertEquals("com.example:db", upgrade.library());
    assertEquals("com.example:db-new", upgrade.toLibrary());
    assertEquals("2.0", upgrade.to());
    assertInstanceOf(Recommendation.Evidence.Read.class, upgrade.evidence());
    assertEquals(
        "in 2.0 the monitor on these stacks is not taken any more (read from its classes, not run)",
        advised.reason());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
  }

  @Test
  void aFixThatRanSaysNothingOfOtherPaths() {
    Frame read = frame("com.mysql.cj.protocol.ReadAheadInputStream", "read", 3, 166);
    Owner mysql = library("com.mysql", "mysql-connector-j", "8.0.33");
    Pins pins =
        own().owner(read.type().name(), mysql).pin(1, 50, stack(park, read), method(1, read));
    assertFalse(offers(UpgradeLibrary.class, only(pins)));
  }

  @Test
  void anUpgradeAndARewriteGoTogetherWhereBothAreOnTheStack() {
    movable(session, method(2, session));
    Frame execute = frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
    Pins pins =
        own()
            .owner(execute.type().name(), library("org.postgresql", "postgresql", "42.5.4"))
            .pin(1, 50, stack(park, execute, session), method(1, execute), method(2, session));
    Advised advised = only(pins);
    assertInstanceOf(UpgradeLibrary.class, advised.recommendation());
    assertEquals(1, advised.together().size());
    assertInstanceOf(Rewrite.class, advised.together().getFirst());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
    assertEquals(0, advised.effect().aloneFreed().upTo());
  }

  @Test
  void aLibraryWithoutAFixOnTheStackNeedsJdk24() {
    movable(session, method(2, session));
    Frame execute = frame("org.hsqldb.ClientConnection", "execute", 20, 326);
    Pins pins =
        own()
            .owner(execute.type().name(), library("org.hsqldb", "hsqldb", "2.7.4"))
            .pin(1, 50, stack(park, execute, session), method(1, execute), method(2, session));
    Advised advised = only(pins);
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
    assertEquals(List.of(), advised.together());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
    assertTrue(advised.reason().contains("no fixed version is known"), advised::reason);
  }

  /** A pool that opens its first connection holds a monitor that no version is free of. */
  @Test
  void aFewPinsUnderAnotherLibraryDoNotDecideForAll() {
    Frame execute = frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);
    Frame open = frame("com.zaxxer.hikari.HikariDataSource", "getConnection", 77, 111);
    Pins pins =
        own()
            .owner(execute.type().name(), library("org.postgresql", "postgresql", "42.5.4"))
            .owner(open.type().name(), library("com.zaxxer", "HikariCP", "5.1.0"))
            .pin(1, 50, stack(park, execute, open), method(1, execute), method(2, open));
    assertInstanceOf(UpgradeJdk.class, only(pins).recommendation());
    for (int thread = 2; thread <= 5; thread++) {
      pins.pin(thread, 50, stack(park, execute), method(1, execute));
    }
    Advised advised = only(pins);
    assertInstanceOf(UpgradeLibrary.class, advised.recommendation());
    assertEquals(List.of(), advised.together());
    assertEquals(200 * MILLI, advised.effect().freed().nanos());
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.concurrent.ConcurrentHashMap,computeIfAbsent,com.example.Cache,FUTURE_IN_MAP",
    "java.util.concurrent.ConcurrentHashMap,merge,com.example.Cache,PER_KEY_LOCK",
    "java.util.concurrent.ConcurrentHashMap,compute,com.github.benmanes.caffeine.cache.X,ASYNC_CACHE"
  })
  void aMapOfTheJdkIsLeftByItsCaller(String type, String method, String caller, String pattern) {
    Frame map = frame(type, method, 9, 500);
    Frame user = frame(caller, "get", 1, 1);
    Pins pins = new Pins().owner(type, new Owner.Jdk());
    Advised advised = only(pins.pin(1, 50, stack(park, map, user), block(1, map, 4, 9)));
    ChangePattern change = assertInstanceOf(ChangePattern.class, advised.recommendation());
    assertEquals(pattern, change.pattern().id());
    assertEquals(caller + ".get", change.place());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
  }

  /** A framework's own map cannot be filled with futures by the application. */
  @ParameterizedTest
  @CsvSource({
    "io.micronaut.context.DefaultBeanContext,computeIfAbsent,FOREIGN_MAP",
    "io.micronaut.context.DefaultBeanContext,merge,FOREIGN_MAP",
    "com.github.benmanes.caffeine.cache.X,computeIfAbsent,ASYNC_CACHE"
  })
  void aMapOfALibraryIsNotTheApplications(String library, String method, String pattern) {
    Frame map = frame("java.util.concurrent.ConcurrentHashMap", method, 9, 500);
    Frame caller = frame(library, "load", 1, 1);
    Frame user = frame("com.example.Web", "handle", 1, 1);
    Pins pins =
        new Pins()
            .owner(map.type().name(), new Owner.Jdk())
            .owner(library, library("org.lib", "lib", "1.0"))
            .owner("com.example.Web", new Owner.Application("app"));
    Advised advised = only(pins.pin(1, 50, stack(park, map, caller, user), block(1, map, 4, 9)));
    ChangePattern change = assertInstanceOf(ChangePattern.class, advised.recommendation());
    assertEquals(pattern, change.pattern().id());
    assertEquals(50 * MILLI, advised.effect().freed().nanos());
  }

  /** A cache of the JDK: what is put into it is not for the application to change. */
  @Test
  void aMapOfTheJdksOwnCodeIsNotTheApplications() {
    Frame map = frame("java.util.concurrent.ConcurrentHashMap", "computeIfAbsent", 9, 500);
    Frame cache = frame("java.time.format.DateTimeTextProvider", "findStore", 1, 1);
    Frame user = frame("com.example.Web", "handle", 1, 1);
    Pins pins = new Pins().owner(map.type().name(), new Owner.Jdk());
    Advised advised =
        only(
            pins.pin(
                1,
                50,
                stack(map, cache, user),
                new PinCause.MonitorEntry(map, "java.util.concurrent.ConcurrentHashMap$Node")));
    assertInstanceOf(UpgradeJdk.class, advised.recommendation());
  }

  /** The thread in the lock and those that wait for it are freed by the same rewrite. */
  @Test
  void aRewriteFreesThoseThatWaitToEnterToo() {
    Frame entry = new Frame(session.type(), "query", "()V", 0x20, 0, 10, Frame.Kind.COMPILED);
    movable(session, method(1, session));
    Pins pins = own();
    pins.pin(1, 50, stack(park, session), method(1, session));
    pins.pin(2, 40, stack(entry), new PinCause.MonitorEntry(entry, "com.example.Session"));
    Advice advice = advise(pins);
    assertEquals(1, advice.entries().size());
    assertEquals(2, advice.entries().getFirst().advised().size());
    assertEquals(90 * MILLI, advice.entries().getFirst().freed().nanos());
    assertEquals(Sharing.CONTENDED, advice.advised().getFirst().effect().sharing());
  }

  @Test
  void objectWaitBecomesAConditionWhereTheLockCanMove() {
    Frame await = frame("com.example.Reply", "await", 8, 30);
    Lock reply =
        Locks.of(
            "com.example.Reply",
            List.of(method(0, await).site()),
            List.of(new Lock.MonitorCall(await.type(), "await", "()V", 30, "wait", "()V", 0, 1)));
    Pins pins =
        own()
            .owner(await.type().name(), APPLICATION)
            .pin(
                1,
                50,
                stack(await),
                new PinCause.ObjectWait(await, "com.example.Reply"),
                method(0, await));
    assertEquals(
        DesignPatterns.WAIT_TO_CONDITION,
        assertInstanceOf(ChangePattern.class, only(pins).recommendation()).pattern());
    assertEquals(50 * MILLI, only(pins).effect().freed().nanos());
    locks.put("com.example.Reply", reply);
    Advised movable = only(pins);
    assertInstanceOf(Rewrite.class, movable.recommendation());
    assertEquals(50 * MILLI, movable.effect().freed().nanos());
  }

  /** The pool is the limit on any Java: to free the carriers makes it no larger. */
  @Test
  void whoWaitsForAnObjectOfAPoolWaitsOnALaterJavaToo() {
    String name = "org.apache.commons.pool.impl.GenericObjectPool";
    Frame borrow = frame(name, "borrowObject", 8, 30);
    Frame other = frame("org.apache.commons.pool.impl.EvictionTimer", "await", 8, 30);
    assertEquals(Sharing.BORROWED, inObjectWait(borrow).sharing());
    assertEquals(Sharing.NO_LOCK, inObjectWait(other).sharing());
  }

  private Effect inObjectWait(Frame frame) {
    Pins pins =
        own()
            .pin(
                1,
                50,
                stack(frame, session),
                new PinCause.ObjectWait(frame, frame.type().name()),
                method(0, frame));
    return only(pins).effect();
  }

  @Test
  void causesThatWereNotReadLeaveATimeUnsure() {
    movable(session, method(1, session));
    Pins pins =
        own()
            .pin(
                1,
                50,
                stack(park, session),
                new Attribution(
                    List.of(method(1, session)),
                    Pins.SOCKET_READ,
                    Set.of("com.example.Unread"),
                    false));
    assertEquals(new Freed(0, 50 * MILLI), only(pins).effect().freed());
  }

  @Test
  void theSumOfManySetsIsExact() {
    movable(channel, method(1, channel)).movable(session, method(1, session));
    Pins pins = own();
    long expected = 0;
    for (int i = 1; i <= 100; i++) {
      expected += (10 + i) * MILLI;
      if (i % 3 == 0) {
        pins.pin(i, 10 + i, stack(park, session), method(1, session));
      } else {
        pins.pin(i, 10 + i, stack(park, channel, session), method(1, channel), method(2, session));
      }
    }
    assertEquals(expected, advise(pins).all().nanos());
  }

  @Test
  void noRemedyIsNamedThatIsFollowedAlready() {
    PinCause unexplained = new PinCause.Unexplained("no frame on the stack holds a monitor");
    assertEquals(
        "", why(Why.NotExplained.class, only(own().pin(1, 50, stack(park), unexplained))).remedy());
    assertEquals(
        "record with vtdiag's agent",
        why(Why.NotExplained.class, only(own().noAgent().pin(1, 50, stack(park), unexplained)))
            .remedy());
    Attribution unread =
        new Attribution(
            List.of(unexplained), Pins.SOCKET_READ, Set.of("com.example.Unread"), false);
    assertEquals(
        "name the jars of the classes that were not found with --classpath",
        why(Why.NotExplained.class, only(own().pin(1, 50, stack(park), unread))).remedy());
  }
}
