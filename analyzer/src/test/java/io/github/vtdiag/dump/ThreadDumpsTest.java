package io.github.vtdiag.dump;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.dump.HangAnswer.Outcome;
import io.github.vtdiag.dump.SnapshotReader.SnapshotInput;
import io.github.vtdiag.hang.LockCycle;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThreadDumpsTest {
  /** Two threads of Java 25 that wait for each other's monitor. */
  static final String CYCLE =
      thread(
              30,
              "\"virtual\": true, \"state\": \"BLOCKED\", \"blockedOn\": \"A@1\","
                  + " \"monitorsOwned\": [{\"depth\": 0, \"locks\": [null, \"B@2\"]}]",
              "app.Bank.pay(Bank.java:7)")
          + ","
          + thread(
              31,
              "\"virtual\": true, \"state\": \"BLOCKED\", \"blockedOn\": \"B@2\","
                  + " \"monitorsOwned\": [{\"depth\": 1, \"locks\": [\"A@1\"]}]",
              "app.Bank.check(Bank.java:17)",
              "app.Bank.get(Bank.java:16)");

  private static String thread(long id, String members, String... stack) {
    StringBuilder json = new StringBuilder("{\"tid\": \"" + id + "\", \"name\": \"t" + id + "\"");
    json.append(members.isEmpty() ? "" : ", " + members).append(", \"stack\": [");
    for (int i = 0; i < stack.length; i++) {
      json.append(i == 0 ? "\"" : ", \"").append(stack[i]).append('"');
    }
    return json.append("]}").toString();
  }

  private static String dump(String second, String threads) {
    return "{\"threadDump\": {\"formatVersion\": 3, \"processId\": 7, \"time\":"
        + " \"2026-01-01T00:00:0"
        + second
        + "Z\", \"runtimeVersion\": \"25.0.3+9\", \"more\": {\"a\": [1]}, \"threadContainers\":"
        + " [{\"container\": \"<root>\", \"threads\": ["
        + threads
        + "]}]}}";
  }

  private static SnapshotInput look(String name, byte[] bytes) {
    return new SnapshotInput(name, () -> new ByteArrayInputStream(bytes), "", Jvm.NOT_KNOWN);
  }

  private static SnapshotInput look(String name, String text) {
    return look(name, text.getBytes(UTF_8));
  }

  private static SnapshotReader reader() {
    return new SnapshotReader(name -> Optional.empty());
  }

  static HangAnswer answer(String first, String second) throws DataException {
    return HangAnswer.of(reader().read(look("a", dump("1", first)), look("b", dump("2", second))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "|x is empty; ",
        "{}|x is JSON, but not a thread dump; ",
        "[1, 2]|x is JSON, but not a thread dump; ",
        "{\"threadDump\": [1]}|x is JSON, but not a thread dump; ",
        "{\"threads\": [{\"threadName\": \"main\"}]}|x is JSON, but not a thread dump; ",
        "{\"threadDump\": {\"threadContainers\": {}}}|x is JSON, but not a thread dump; ",
        "{\"threadDump\": {\"threadContainers\": [;]}}|x is damaged at line 1, where it stops",
        "2026 Full thread dump OpenJDK|x is a dump of jstack or Thread.print, which leaves",
        "hello|x is not a thread dump in JSON; "
      })
  void whatIsNoDumpInJsonIsRefused(String text, String sentence) {
    DataException refused =
        assertThrows(DataException.class, () -> reader().read(look("x", text == null ? "" : text)));
    assertTrue(refused.getMessage().startsWith(sentence), refused.getMessage());
  }

  @Test
  void otherKindsOfDumpAreCalledByTheirName() {
    String plain = "12\n2026-01-01T00:00:01Z\n21.0.8+9\n\n#1 \"main\"\n      Foo.bar(Foo.java:1)\n";
    assertTrue(
        assertThrows(DataException.class, () -> reader().read(look("x", plain)))
            .getMessage()
            .startsWith("x is a dump in plain text"));
    String javacore = "0SECTION       TITLE subcomponent dump routine\nNULL\n";
    assertTrue(
        assertThrows(DataException.class, () -> reader().read(look("x", javacore)))
            .getMessage()
            .startsWith("x is a javacore of OpenJ9"));
  }

  @Test
  void dumpsThatDoNotGoTogetherAreRefused() throws Exception {
    SnapshotInput one = look("a", dump("1", CYCLE));
    SnapshotInput other =
        look("b", dump("2", CYCLE).replace("\"processId\": 7", "\"processId\": 8"));
    assertTrue(
        assertThrows(DataException.class, () -> reader().read(one, other))
            .getMessage()
            .contains("give two dumps of one JVM"));
    assertEquals(
        "a and a are the same dump; give one of them",
        assertThrows(DataException.class, () -> reader().read(one, one)).getMessage());
    assertTrue(
        assertThrows(DataException.class, () -> reader().read(look("c", dump("3", CYCLE)), one))
            .getMessage()
            .startsWith("c is the later one"));
  }

  /** Cut anywhere, it is read as far as it goes, and never says that all is well. */
  @Test
  void aDumpThatWasCutOffIsNeverFine() throws Exception {
    String idle =
        thread(40, "\"virtual\": true, \"state\": \"WAITING\"", "java.base/java.lang.A.b(A.java)");
    byte[] whole = dump("2", idle + "," + CYCLE).getBytes(UTF_8);
    byte[] first = dump("1", idle + "," + CYCLE).getBytes(UTF_8);
    int begin = new String(whole, UTF_8).indexOf("[{\"container") + 1;
    int hangs = 0;
    for (int length = begin; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      Outcome outcome;
      try {
        outcome = HangAnswer.of(reader().read(look("a", first), look("b", cut))).outcome();
      } catch (DataException e) {
        // In the middle of a word, which then is none.
        assertTrue(e.getMessage().startsWith("b is damaged at line 1"), e.getMessage());
        continue;
      }
      hangs += outcome == Outcome.HANGS ? 1 : 0;
      assertTrue(outcome != Outcome.FINE, "cut at " + length);
    }
    assertTrue(hangs > 0, "seen before the cut");
    assertEquals(
        Outcome.HANGS, HangAnswer.of(reader().read(look("a", first), look("b", whole))).outcome());
  }

  /** JDK-8361926: Java lists who waits for a notification as the owner of the monitor. */
  @Test
  void whoWaitsForANotificationDoesNotHoldTheMonitor() throws Exception {
    String waiters =
        thread(
                20,
                "\"virtual\": true, \"state\": \"WAITING\", \"waitingOn\": \"A@1\","
                    + " \"monitorsOwned\": [{\"depth\": 1, \"locks\": [\"A@1\"]}]",
                "java.base/java.lang.Object.wait0(Native Method)",
                "app.Bank.await(Bank.java:30)")
            + ","
            + thread(
                40,
                "\"virtual\": true, \"state\": \"WAITING\","
                    + " \"monitorsOwned\": [{\"depth\": 1, \"locks\": [\"B@2\"]}],"
                    + " \"waitingOn\": \"B@2\"",
                "java.base/java.lang.Object.wait0(Native Method)",
                "app.Bank.await(Bank.java:30)");
    for (String threads : List.of(waiters + "," + CYCLE, CYCLE + "," + waiters)) {
      assertEquals(Outcome.HANGS, answer(threads, threads).outcome(), threads);
    }
    assertEquals(Outcome.FINE, answer(waiters, waiters).outcome());
  }

  /** Who has a lock and is not among all threads has ended. */
  @Test
  void aLockWhoseOwnerHasEndedIsNamed() throws Exception {
    String waits =
        "\"virtual\": true, \"state\": \"WAITING\", \"parkBlocker\": {\"object\": \"Sync@5\","
            + " \"exclusiveOwnerThreadId\": \"70\"%s}";
    String waiter = thread(60, waits.formatted(""), "app.Bank.pay(Bank.java:7)");
    String owner =
        thread(70, "\"virtual\": true, \"state\": \"RUNNABLE\"", "app.Bank.go(B.java:1)");
    assertFalse(
        answer(waiter + "," + owner, waiter + "," + owner).diagnoses().getFirst().isDeadlock());
    HangAnswer missing = answer(waiter, waiter);
    assertEquals(Outcome.HANGS, missing.outcome());
    assertFalse(missing.isSure(missing.diagnoses().getFirst()));
    String told =
        thread(60, waits.formatted(", \"exclusiveOwnerEnded\": \"a\""), "app.A.b(A.java:7)");
    assertTrue(answer(told, told).isSure(answer(told, told).diagnoses().getFirst()));
  }

  /** Later Javas write numbers as such, and add members; those before 25 have no states. */
  @Test
  void dumpsOfOtherJavasAreRead() throws Exception {
    String later = dump("1", CYCLE.replaceAll("\"tid\": \"(\\d+)\"", "\"tid\": $1, \"group\": {}"));
    HangAnswer answer = HangAnswer.of(reader().read(look("x", later.replace("25.0.3", "26.0.1"))));
    assertEquals(Outcome.HANGS, answer.outcome());
    assertEquals(26, answer.looks().feature());
    String waits =
        thread(
            50,
            "",
            "java.base/java.lang.VirtualThread.park(VirtualThread.java:1)",
            "java.base/java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:1)",
            "app.Bank.pay(Bank.java:7)",
            "java.base/java.lang.VirtualThread.run(VirtualThread.java:1)");
    for (String version : List.of("19.0.2", "24.0.2")) {
      String first = dump("1", waits).replace("25.0.3", version);
      String second = dump("2", waits).replace("25.0.3", version);
      answer = HangAnswer.of(reader().read(look("a", first), look("b", second)));
      assertEquals(Outcome.NOT_KNOWN, answer.outcome(), version);
      assertEquals(1, answer.unseen().size(), version);
    }
  }

  /** What only the agent's dumps have: who is next, a class that is awaited, monitors in part. */
  @Test
  void theAgentsOwnDumpsTellMore() throws Exception {
    String threads =
        thread(
                60,
                "\"virtual\": true, \"state\": \"WAITING\", \"parkBlocker\": {\"object\":"
                    + " \"Sync@5\", \"nextThreadId\": \"61\"}",
                "java.base/java.lang.VirtualThread.park(VirtualThread.java:1)")
            + ","
            + thread(
                61,
                "\"virtual\": true, \"state\": \"RUNNABLE\", \"waitingForClass\": \"app.A\"",
                "app.B.go(B.java:1)");
    String part =
        dump("1", threads)
            .replace("\"threadContainers\"", "\"monitorsComplete\": false, \"threadContainers\"");
    SnapshotPair looks = reader().read(look("x", part));
    assertFalse(looks.after().monitorsComplete());
    ThreadWait.Park park = (ThreadWait.Park) looks.after().threads().getFirst().waitsFor();
    assertEquals("Free[next=OptionalLong[61]]", park.holder().toString());
    assertEquals(
        new ThreadWait.ClassInitialization("app.A"), looks.after().threads().getLast().waitsFor());
  }

  @Test
  void packedAndUtf16AreRead() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(dump("1", CYCLE).getBytes(UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    for (byte[] bytes :
        new byte[][] {
          packed.toByteArray(),
          dump("1", CYCLE).getBytes(StandardCharsets.UTF_16LE),
          ("\ufeff" + dump("1", CYCLE)).getBytes(UTF_8)
        }) {
      HangAnswer answer = HangAnswer.of(reader().read(look("x", bytes)));
      assertEquals(Outcome.HANGS, answer.outcome());
    }
  }

  @Test
  void oneLookIsNeverSure() throws Exception {
    HangAnswer one = HangAnswer.of(reader().read(look("x", dump("1", CYCLE))));
    assertEquals(false, one.isSure(one.diagnoses().getFirst()));
    HangAnswer two = answer(CYCLE, CYCLE);
    assertEquals(true, two.isSure(two.diagnoses().getFirst()));
    LockCycle cycle = (LockCycle) two.diagnoses().getFirst();
    assertEquals("app.Bank.get:16", cycle.edges().getFirst().heldIn().orElseThrow().toString());
  }

  @Test
  void whoMovedIsNotStuck() throws Exception {
    String later = CYCLE.replace("Bank.java:17", "Bank.java:18");
    assertEquals(Outcome.FINE, answer(CYCLE.replace("BLOCKED", "RUNNABLE"), later).outcome());
  }

  /** Who has a lock of java.util.concurrent stands in no dump. */
  @ParameterizedTest
  @ValueSource(strings = {"ReentrantLock.lock", "ReentrantReadWriteLock$WriteLock.lock"})
  void waitingForALockIsNotFine(String method) throws Exception {
    String waits =
        thread(
            50,
            "\"virtual\": true, \"state\": \"WAITING\", \"parkBlocker\": {\"object\": \"Sync@5\"}",
            "java.base/java.lang.VirtualThread.park(VirtualThread.java:1)",
            "java.base/java.util.concurrent.locks." + method + "(X.java:1)",
            "app.Bank.pay(Bank.java:7)");
    HangAnswer answer = answer(waits, waits);
    assertEquals(Outcome.NOT_KNOWN, answer.outcome());
    assertEquals(1, answer.unseen().size());
    // With a timeout it ends by itself.
    String timed = waits.replace("\"WAITING\"", "\"TIMED_WAITING\"");
    assertEquals(Outcome.FINE, answer(timed, timed).outcome());
    // A later Java may say who has it.
    String told =
        waits.replace("\"Sync@5\"", "\"Sync@5\", \"exclusiveOwnerThreadId\": 51")
            + ","
            + thread(51, "", "app.Bank.pay(Bank.java:8)");
    SeenThread thread =
        reader()
            .read(look("a", dump("1", told)), look("b", dump("2", told)))
            .after()
            .threads()
            .getFirst();
    assertEquals("HeldBy[threadId=51]", ((ThreadWait.Park) thread.waitsFor()).holder().toString());
  }

  @ParameterizedTest
  @CsvSource({"runnerThreadId,RunBy", "joinedThreadId,EndOf"})
  void readsTheThreadThatRunsATaskOrIsJoined(String member, String holder) throws Exception {
    String waits =
        thread(
            50,
            "\"virtual\": true, \"state\": \"WAITING\", \"parkBlocker\": {\"object\": \"Sync@5\","
                + " \""
                + member
                + "\": \"51\"}",
            "app.Bank.pay(Bank.java:7)");
    String told = waits + "," + thread(51, "", "app.Bank.pay(Bank.java:8)");
    SeenThread thread =
        reader()
            .read(look("a", dump("1", told)), look("b", dump("2", told)))
            .after()
            .threads()
            .getFirst();
    assertEquals(
        holder + "[threadId=51]", ((ThreadWait.Park) thread.waitsFor()).holder().toString());
  }

  /** On Java 21 nothing shows that a thread was woken and cannot run. */
  @Test
  void keptCarriersAreNotFineThoughNobodyIsSeenToNeedOne() throws Exception {
    String sleeper =
        thread(
            70,
            "",
            "java.base/java.lang.VirtualThread.parkNanos(VirtualThread.java:1)",
            "java.base/java.lang.Thread.sleep(Thread.java:1)",
            "java.base/java.lang.VirtualThread.run(VirtualThread.java:1)");
    String keeper =
        thread(
            71,
            "",
            "java.base/java.lang.Object.wait0(Native Method)",
            "java.base/java.lang.Object.wait(Object.java:1)",
            "app.Pool.take(Pool.java:5)",
            "java.base/java.lang.VirtualThread.run(VirtualThread.java:1)");
    String carrier =
        thread(72, "", "java.base/java.lang.VirtualThread.runContinuation(VirtualThread.java:1)")
            .replace("\"t72\"", "\"ForkJoinPool-1-worker-1\"");
    String idle =
        thread(73, "", "java.base/jdk.internal.misc.Unsafe.park(Native Method)")
            .replace("\"t73\"", "\"ForkJoinPool-1-worker-2\"");
    assertEquals(Outcome.NOT_KNOWN, carried(sleeper, keeper, carrier));
    assertEquals(Outcome.FINE, carried(sleeper, keeper, carrier + "," + idle));
  }

  private static Outcome carried(String sleeper, String keeper, String workers)
      throws DataException {
    String threads =
        sleeper + "," + keeper + "]}, {\"container\": \"ForkJoinPool-1\", \"threads\": [" + workers;
    return answer(threads, threads).outcome();
  }

  @ParameterizedTest
  @CsvSource({
    "com.zaxxer.hikari.pool.HikariPool.getConnection,com.zaxxer.hikari.util.ConcurrentBag.borrow,"
        + "HikariCP",
    "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject,"
        + "org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst,commons-pool2",
    "app.Pool.getConnection,app.Pool.take,",
    "com.zaxxer.hikari.pool.HikariPool.getConnection,org.postgresql.Driver.connect,"
  })
  void aKnownPoolIsNamed(String pool, String inner, String name) throws Exception {
    String waits =
        thread(
            60,
            "\"virtual\": true, \"state\": \"TIMED_WAITING\"",
            "java.base/java.lang.VirtualThread.parkNanos(VirtualThread.java:1)",
            "java.base/java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:1)",
            inner + "(P.java:3)",
            pool + "(P.java:4)",
            "app.Shop.sell(Shop.java:9)");
    HangAnswer answer = answer(waits, waits);
    if (name == null) {
      assertEquals(0, answer.pools().size());
    } else {
      assertEquals(name, answer.pools().getFirst().pool());
      assertEquals("app.Shop.sell:9", answer.pools().getFirst().asked().toString());
    }
  }

  /** All are woken when an object comes back, and each has to have the pool's monitor to look. */
  @Test
  void whoWasWokenStillWaitsForThePool() throws Exception {
    String blocked = "\"virtual\": true, \"state\": \"BLOCKED\", \"blockedOn\": \"Pool@1\"";
    String checkout =
        "com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource(BasicResourcePool.java:5)";
    String shop = "app.Shop.sell(Shop.java:9)";
    String woken =
        thread(60, blocked, "java.base/java.lang.Object.wait0(Native Method)", checkout, shop);
    assertEquals("c3p0", answer(woken, woken).pools().getFirst().pool());
    String enters = thread(60, blocked, checkout, shop);
    assertEquals(0, answer(enters, enters).pools().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "java.base/java.lang.Thread.run(Thread.java:1474)|java.lang.Thread.run:1474",
        "app//com.a.B.c(B.java:12)|com.a.B.c:12",
        "loader/mod@1.0-x/com.a.B.c(B.java:12)|com.a.B.c:12",
        "com.a.B$$Lambda/0x0000000080040210.run(Unknown Source)|com.a.B$$Lambda.run",
        "com.a.B.c(java.base@21.0.8/B.java:9)|com.a.B.c:9",
        "com.a.B.<init>(Native Method)|com.a.B.<init>",
        "nonsense|.nonsense"
      })
  void framesAreReadInEachForm(String line, String frame) {
    Frame read = StackLines.frame(line);
    assertEquals(frame, read.toString());
    assertEquals(line.contains("Native"), read.isNative());
  }
}
