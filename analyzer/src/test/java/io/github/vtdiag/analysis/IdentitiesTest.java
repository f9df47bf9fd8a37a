package io.github.vtdiag.analysis;

import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.nativeMethod;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.pin.SeenHang;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentitiesTest {
  private static final Frame MAP = frame("java.util.concurrent.ConcurrentHashMap", "compute", 9, 1);

  private static List<String> identities(Pins pins) {
    Findings findings = pins.findings();
    Identities identities = Identities.of(findings);
    return findings.pins().stream().map(of -> identities.of(of).text()).toList();
  }

  private static String identity(Frame frame, PinCause cause, Frame... below) {
    Frame[] frames = new Frame[below.length + 1];
    frames[0] = frame;
    System.arraycopy(below, 0, frames, 1, below.length);
    return identities(new Pins().pin(1, 50, stack(frames), cause)).getFirst();
  }

  private static String method(String className, String name, int bci, int line) {
    Frame frame = frame(className, name, bci, line);
    return identity(frame, Pins.method(0, frame));
  }

  @Test
  void anotherMethodClassLockOrWayToHoldItIsAnotherFinding() {
    Frame db = frame("com.example.Db", "execute", 20, 326);
    Set<String> all = new HashSet<>();
    assertTrue(all.add(method("com.example.Db", "execute", 20, 326)));
    assertTrue(all.add(method("com.example.Db", "query", 20, 326)));
    assertTrue(all.add(method("com.example.Db2", "execute", 20, 326)));
    assertTrue(all.add(method("com.other.Db", "execute", 20, 326)));
    assertTrue(all.add(identity(db, block(0, db, 5, 330))));
    assertTrue(all.add(identity(db, nativeMethod(0, db))));
    assertTrue(all.add(identity(db, new PinCause.MonitorEntry(db, "com.example.A"))));
    assertTrue(all.add(identity(db, new PinCause.MonitorEntry(db, "com.example.B"))));
    assertTrue(all.add(identity(db, new PinCause.ObjectWait(db, "com.example.A"))));
    assertTrue(all.add(identity(db, new PinCause.ClassLoading(0, db))));
    assertTrue(all.add(identity(db, new PinCause.ClassInitializer(0, db))));
    assertTrue(all.add(identity(db, new PinCause.AwaitedInitialization("com.example.A"))));
    assertTrue(all.add(identity(db, new PinCause.HiddenVmFrame("Native or VM frame on stack"))));
    assertTrue(all.add(identity(db, new PinCause.Unexplained("the stack was cut off"))));
  }

  @Test
  void linesAndInstructionsDoNotCount() {
    assertEquals(
        method("com.example.Db", "execute", 20, 326), method("com.example.Db", "execute", 44, 1));
    Frame before = frame("com.example.Db", "execute", 20, 326);
    Frame after = frame("com.example.Db", "execute", 29, 340);
    assertEquals(
        identity(before, block(0, before, 5, 330)), identity(after, block(0, after, 12, 350)));
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.A, lambda$get$0, com.example.A, lambda$get$17",
    "com.example.A, get$lambda$0, com.example.A, get$lambda$2",
    "com.example.A, access$000, com.example.A, access$100",
    "com.example.A$1, run, com.example.A$2, run",
    "com.example.A$1Local, run, com.example.A$2Local, run",
    "com.example.A$$Lambda/0x00007f1, run, com.example.A$$Lambda$14/0x0000800, run",
    "com.example.A$$SpringCGLIB$$0, run, com.example.A$$SpringCGLIB$$1, run",
    "com.example.A$$EnhancerBySpringCGLIB$$1a2b3c, run,"
        + " com.example.A$$EnhancerBySpringCGLIB$$9f8e7d, run",
    "com.example.A$ByteBuddy$aZ19, run, com.example.A$ByteBuddy$q7Tx, run",
    "com.example.A$MockitoMock$123, run, com.example.A$MockitoMock$98, run",
    "jdk.proxy2.$Proxy34, run, jdk.proxy3.$Proxy8, run",
    "com.example.A_$$_jvst3ef_0, run, com.example.A_$$_jvst1_2, run",
  })
  void numbersThatCompilersGiveDoNotCount(String type, String name, String type2, String name2) {
    assertEquals(method(type, name, 1, 1), method(type2, name2, 2, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.Md5, sum1, com.example.Md5, sum2",
    "com.example.Utf8, run, com.example.Utf16, run",
    "com.example.A$B1, run, com.example.A$B2, run",
    "com.example.A, lambda$get$0, com.example.A, lambda$put$0",
    "com.example.A$1Local, run, com.example.A$1Other, run",
    "com.example.A$$SpringCGLIB$$0, run, com.example.A, run",
  })
  void numbersThatPeopleGiveDo(String type, String name, String type2, String name2) {
    assertNotEquals(method(type, name, 1, 1), method(type2, name2, 1, 1));
  }

  @Test
  void twoOfOneMethodAreNumberedInTheOrderOfTheCodeWhateverTheyCost() {
    Frame nine = frame("com.example.A", "lambda$get$9", 1, 1);
    Frame ten = frame("com.example.A", "lambda$get$10", 1, 1);
    Frame blocks = frame("com.example.B", "run", 1, 1);
    Frame blocks2 = frame("com.example.B", "run", 2, 2);
    Pins pins = new Pins();
    pins.pin(1, 10, stack(nine), Pins.method(0, nine));
    pins.pin(1, 400, stack(ten), Pins.method(0, ten));
    pins.pin(1, 300, stack(blocks), block(0, blocks, 30, 9));
    pins.pin(1, 20, stack(blocks2), block(0, blocks2, 7, 9));
    assertEquals(
        List.of(
            "SYNCHRONIZED_METHOD com.example.A.lambda$get on this #2",
            "SYNCHRONIZED_BLOCK com.example.B.run on this #2",
            "SYNCHRONIZED_BLOCK com.example.B.run on this",
            "SYNCHRONIZED_METHOD com.example.A.lambda$get on this"),
        identities(pins));
  }

  @Test
  void whichOfTheMapsMonitorsItWasDoesNotCount() {
    Frame caller = frame("com.example.Cache", "lambda$get$1", 4, 8);
    Frame other = frame("com.example.Cache", "put", 4, 8);
    String compute = identity(MAP, block(0, MAP, 30, 9), caller);
    assertEquals("MONITOR " + MAP.type().name() + " from com.example.Cache.lambda$get", compute);
    Frame merge = frame(MAP.type().name(), "merge", 7, 3);
    assertEquals(compute, identity(merge, block(0, merge, 2, 9), caller));
    assertNotEquals(compute, identity(MAP, block(0, MAP, 30, 9), other));
    assertNotEquals(
        compute, identity(MAP, new PinCause.MonitorEntry(MAP, "java.lang.Object"), caller));
  }

  @Test
  void theFingerprintIsOfTheText() {
    Identity identity = new Identity("SYNCHRONIZED_METHOD com.example.A.run on this", 1);
    assertEquals("5ee0", identity.fingerprint().substring(0, 4));
    assertTrue(identity.fingerprint().matches("[0-9a-f]{16}"), identity.fingerprint());
    assertNotEquals(identity.fingerprint(), new Identity(identity.kin(), 2).fingerprint());
  }

  @Test
  void aFindingOfAnotherRunHasNone() {
    Frame frame = frame("com.example.A", "run", 1, 1);
    Pin finding =
        new Pins().pin(1, 5, stack(frame), Pins.method(0, frame)).findings().pins().getFirst();
    assertThrows(
        IllegalArgumentException.class, () -> Identities.of(new Pins().findings()).of(finding));
  }

  private static List<String> hung(String kind, HangPlace... places) {
    return Identities.of(
            new Finding.Hang(
                "a.jfr",
                new SeenHang(
                    0,
                    1,
                    RecordedKind.parse(kind),
                    true,
                    false,
                    List.of("deadlock: 2 threads"),
                    List.of(places),
                    Set.of())))
        .keySet()
        .stream()
        .map(Identity::text)
        .toList();
  }

  private static final HangPlace PAY =
      new HangPlace("app.Ledger.add", "app.Account.lambda$pay$3", "app.Ledger", "app.Ledger.close");
  private static final HangPlace CLOSE =
      new HangPlace("app.Account.add", "", "app.Account", "app.Account.pay");

  @Test
  void aHangOfWhichNoPlaceIsToldIsKnownByItsKindAlone() {
    assertEquals(List.of("HANG LockCycle"), hung("LockCycle"));
    assertEquals(List.of("HANG Starved"), hung("Starved"));
  }

  /** Else what a baseline has would be new. */
  @Test
  void aLostWakeUpIsKnownByItsFirstName() {
    assertEquals(List.of("HANG Forgotten"), hung("Forgotten"));
    assertEquals(List.of("HANG Forgotten"), hung("LostWakeUp"));
  }

  @Test
  void kindsThatThisVersionDoesNotKnowAreToldApart() {
    assertEquals(List.of("HANG Livelock"), hung("Livelock"));
  }

  @Test
  void threadsThatWaitForEachOtherAreOneFindingWhateverTheirOrder() {
    String both =
        "HANG LockCycle in app.Account.add for app.Account held in app.Account.pay, in"
            + " app.Ledger.add from app.Account.lambda$pay for app.Ledger held in"
            + " app.Ledger.close";
    assertEquals(List.of(both), hung("LockCycle", PAY, CLOSE));
    assertEquals(List.of(both), hung("LockCycle", CLOSE, PAY));
    HangPlace renamed =
        new HangPlace(
            "app.Ledger.add", "app.Account.lambda$pay$14", "app.Ledger", "app.Ledger.close");
    assertEquals(List.of(both), hung("LockCycle", renamed, CLOSE));
    assertNotEquals(List.of(both), hung("LockCycle", PAY));
  }

  @Test
  void carriersAreKeptAtEachPlaceByItself() {
    assertEquals(
        List.of(
            "HANG DeadlockByPinning in app.Account.add for app.Account held in app.Account.pay",
            "HANG DeadlockByPinning in app.Ledger.add from app.Account.lambda$pay for app.Ledger"
                + " held in app.Ledger.close"),
        hung("DeadlockByPinning", PAY, CLOSE));
  }
}
