package io.github.vtdiag.agent.tell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.RecordedKind;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.pin.SeenHang;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExitSummaryTest {
  private static Frame frame(String className, String method) {
    return new Frame(new ClassRef(className, ""), method, "()V", 0, 3, 10, Frame.Kind.INTERPRETED);
  }

  private static String site(Frame... frames) {
    PinCause entry = new PinCause.MonitorEntry(frames[0], "com.example.Pool");
    return SiteNames.of(entry, new StackTrace(List.of(frames), false));
  }

  /** Reports name the same method. */
  @Test
  void aThreadThatTakesItsMonitorAgainAfterAWaitIsWhereItWaited() {
    Frame wait0 = frame("java.lang.Object", "wait0");
    Frame wait = frame("java.lang.Object", "wait");
    Frame take = frame("com.example.Pool", "take");
    assertEquals(
        "com.example.Pool.take, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(wait0, wait, take));
    assertEquals(
        "com.example.Pool.take, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(take, frame("com.example.Main", "main")));
    assertEquals(
        "java.lang.Object.wait0, waits to enter a monitor of com.example.Pool that another thread"
            + " holds",
        site(wait0, wait));
  }

  /** Some drivers are compiled without line numbers. */
  @Test
  void aWarningNamesTheLineOfACallerThatHasOne() {
    Frame join = frame("java.lang.Thread", "join");
    assertEquals(
        "at Thread.java:10, called by com.example.Pool.take:10",
        warning(join, "com.example.Pool", 10));
    assertEquals(
        "at Thread.java:10, called by com.example.Pool.take",
        warning(join, "com.example.Pool", -1));
  }

  private static String warning(Frame waiting, String caller, int line) {
    Frame user =
        new Frame(new ClassRef(caller, ""), "take", "()V", 0, 3, line, Frame.Kind.INTERPRETED);
    return SiteNames.clause(
        new PinCause.ObjectWait(waiting, "com.example.Worker"),
        new StackTrace(List.of(waiting, user), false));
  }

  /** A pool that waits for a socket opens a connection: none is lacking. */
  @Test
  void aWaitForAnObjectOfAPoolNamesThePoolAndWhoAsked() {
    Frame wait0 = frame("java.lang.Object", "wait0");
    Frame create = frame("org.apache.commons.pool2.impl.GenericObjectPool", "create");
    Frame borrow = frame("org.apache.commons.pool2.impl.GenericObjectPool", "borrowObject");
    Frame jedis = frame("redis.clients.jedis.util.Pool", "getResource");
    Frame driver = frame("org.h2.engine.Engine", "openSession");
    Frame own = frame("com.example.Carts", "find");
    String place = create.qualifiedMethod() + ", Object.wait on java.lang.Object";
    assertEquals(place, waiting(create, wait0, create, own));
    assertEquals(
        "org.h2.engine.Engine.openSession, Object.wait on java.lang.Object",
        waiting(driver, wait0, driver, create, borrow, jedis, own));
    assertEquals(
        place + ", for Jedis in com.example.Carts.find",
        waiting(create, wait0, create, borrow, jedis, own));
  }

  private static String waiting(Frame caller, Frame... frames) {
    return SiteNames.of(
        new PinCause.ObjectWait(caller, "java.lang.Object"),
        new StackTrace(List.of(frames), false));
  }

  /** A monitor of the JDK's is named with the code that uses it, as reports name it. */
  @Test
  void aMonitorOfTheJdkIsNamedWithItsCaller() {
    Frame remove = frame("java.util.Hashtable", "remove");
    Frame own = frame("com.example.Reports", "render");
    assertEquals(
        "com.example.Reports.render, inside java.util.Hashtable.remove, waits to enter a monitor of"
            + " com.example.Pool that another thread holds",
        site(remove, frame("java.util.Properties", "remove"), own));
    assertEquals(
        "java.util.Hashtable.remove, waits to enter a monitor of com.example.Pool that another"
            + " thread holds",
        site(remove));
  }

  private static SeenHang hang(long number, String kind, boolean deadlock, String... lines) {
    return new SeenHang(
        1, number, RecordedKind.parse(kind), deadlock, false, List.of(lines), List.of(), Set.of());
  }

  /** The deadlock is the cause, and its line the only one; another starvation has its own. */
  @Test
  void aDeadlockAndTheStarvationThatItCausesAreOneLine() {
    SeenHang deadlock = hang(1, "LockCycle", true, "deadlock: 2 threads wait for each other");
    SeenHang caused = hang(2, "Starved", false, "starved: all 4", CarriersKept.BY_DEADLOCK);
    SeenHang other = hang(3, "Starved", false, "starved: all 2", "ends: when one goes on");
    String first = "hung when it ended: deadlock: 2 threads wait for each other";
    assertEquals(List.of(first), ExitSummary.hung(List.of(deadlock, caused)));
    assertEquals(
        List.of(first, "hung when it ended: starved: all 2"),
        ExitSummary.hung(List.of(deadlock, other)));
    assertEquals(List.of("hung when it ended: starved: all 4"), ExitSummary.hung(List.of(caused)));
  }
}
