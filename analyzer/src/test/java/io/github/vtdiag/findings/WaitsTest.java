package io.github.vtdiag.findings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.SeenPool;
import io.github.vtdiag.pin.WaitCrowd;
import io.github.vtdiag.pin.WaitLook;
import io.github.vtdiag.pin.WaitTally;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.SeenWaits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WaitsTest {
  private static final String PARK = "java.util.concurrent.locks.LockSupport.park";
  private static final String SEMAPHORE = "java.util.concurrent.Semaphore.acquire";
  private static final String APP = "app.Orders.find";

  private static final Owner LIBRARY =
      new Owner.Library(new Coordinates("org.web", "web", "1.0"), "web-1.0.jar");

  private final List<WaitLook> looks = new ArrayList<>();
  private final Map<Long, List<WaitCrowd>> crowds = new HashMap<>();
  private final Map<Integer, StackTrace> stacks = new HashMap<>();
  private final Set<Integer> lent = new HashSet<>();
  private final List<SeenPool> pools = new ArrayList<>();
  private List<Finding.Pin> pins = List.of();

  /** So many threads alive, of which so many were looked at. */
  private void look(long alive, int looked) {
    looks.add(new WaitLook(looks.size(), looks.size() + 1, alive, looked, 0, true, false));
    crowds.put((long) looks.size(), new ArrayList<>());
  }

  private int stack(String... methods) {
    List<Frame> frames =
        Arrays.stream(methods)
            .map(
                method -> {
                  int dot = method.lastIndexOf('.');
                  return new Frame(
                      new ClassRef(method.substring(0, dot), method.startsWith("app") ? "app" : ""),
                      method.substring(dot + 1),
                      "",
                      0,
                      -1,
                      1,
                      Frame.Kind.UNKNOWN);
                })
            .toList();
    stacks.put(stacks.size() + 1, new StackTrace(frames, false));
    return stacks.size();
  }

  private void crowd(int threads, int stack) {
    crowd(threads, stack, Thread.State.WAITING, 0);
  }

  private void crowd(int threads, int stack, Thread.State state, int owner) {
    crowds
        .get((long) looks.size())
        .add(new WaitCrowd(looks.size(), stack, state, "", 7, 1, threads, owner, 0));
  }

  private RecordingData data() {
    RecordingData data = new Pins().data();
    return new RecordingData(
        data.facts(),
        data.pins(),
        data.events(),
        new SeenWaits(looks, crowds, List.of(), stacks, lent, pools),
        data.lockMaps(),
        data.samples());
  }

  private List<Finding.Wait> find() {
    return find(WaitsTest::owner);
  }

  private List<Finding.Wait> find(Function<ClassRef, Owner> owners) {
    return Waits.find(data(), owners, pins);
  }

  private static Owner owner(ClassRef type) {
    return type.isJdk()
        ? new Owner.Jdk()
        : type.name().startsWith("app.")
            ? new Owner.Application("")
            : new Owner.UnknownJar("lib.jar");
  }

  @Test
  void fewLooksTellNothing() {
    int stack = stack(PARK, SEMAPHORE, APP);
    for (int i = 0; i < WaitTally.FEWEST_LOOKS - 1; i++) {
      look(100, 100);
      crowd(90, stack);
    }
    assertEquals(List.of(), find());
    assertEquals(Gap.Kind.WAITS_UNSEEN, Waits.gap(data()).orElseThrow().kind());
    look(100, 100);
    assertEquals(1, find().size());
    assertTrue(Waits.gap(data()).isEmpty());
  }

  @Test
  void whatIsLookedAtStandsForTheRest() {
    int stack = stack(PARK, SEMAPHORE, APP);
    for (int i = 0; i < 4; i++) {
      look(10_000, 100);
      crowd(i == 3 ? 0 : 80, stack);
    }
    Behavior found = find().getFirst();
    assertEquals(WaitKind.SEMAPHORE, found.kind());
    assertEquals(6_000, found.seen().atOnce().orElseThrow().mean(), 1);
    assertEquals(8_000, found.seen().atOnce().orElseThrow().most());
    assertEquals(APP, found.seen().site().orElseThrow().qualifiedMethod());
    assertTrue(found.seen().detail("lookedAt").isPresent());
  }

  /** The agent writes one more than there are, so that 0 is not known. */
  @Test
  void howManyPermitsWereFreeIsToldOfOneSemaphore() {
    int stack = stack(PARK, SEMAPHORE, APP);
    for (int free : new int[] {1, 3, 1, 1}) {
      look(100, 100);
      crowds
          .get((long) looks.size())
          .add(new WaitCrowd(looks.size(), stack, Thread.State.WAITING, "", 7, 1, 90, 0, free));
    }
    assertEquals(
        2, find().getFirst().seen().detail("free").orElseThrow().amount().orElseThrow().value());
    crowds
        .get((long) looks.size())
        .add(new WaitCrowd(looks.size(), stack, Thread.State.WAITING, "", 0, 2, 9, 0, 0));
    assertTrue(find().getFirst().seen().detail("free").isEmpty(), "several semaphores");
  }

  @Test
  void aFewOfManyAreNoLimit() {
    int waiting = stack(PARK, SEMAPHORE, APP);
    int busy = stack("java.lang.Thread.sleep", APP);
    for (int i = 0; i < 10; i++) {
      look(100, 100);
      crowd(4, waiting);
      crowd(96, busy);
    }
    assertEquals(List.of(), find());
  }

  @Test
  void whoHasNothingToDoDoesNotCount() {
    int waiting = stack(PARK, SEMAPHORE, APP);
    int idle = stack(PARK, "java.util.concurrent.LinkedBlockingQueue.take", APP);
    for (int i = 0; i < 10; i++) {
      look(100, 100);
      crowd(4, waiting);
      crowd(96, idle);
    }
    assertEquals(1, find().size());
  }

  @Test
  void aQueueIsAPoolIfTheAgentSawThatObjectsComeBack() {
    int queue = stack(PARK, "java.util.concurrent.ArrayBlockingQueue.take", APP);
    int workers = stack(PARK, "java.util.concurrent.ArrayBlockingQueue.poll", "app.Workers.run");
    lent.add(queue);
    for (int i = 0; i < 10; i++) {
      look(100, 100);
      crowd(50, queue);
      crowd(50, workers);
    }
    Behavior found = find().getFirst();
    assertEquals(1, find().size());
    assertEquals(WaitKind.POOL, found.kind());
    assertEquals("ArrayBlockingQueue", found.seen().subject());
    assertEquals(APP, found.seen().site().orElseThrow().qualifiedMethod());
    assertEquals(
        50, found.seen().detail("busyThreads").orElseThrow().amount().orElseThrow().value(), 0.1);
  }

  @Test
  void aBurstIsNoLimit() {
    int stack = stack(PARK, SEMAPHORE, APP);
    for (int i = 0; i < 40; i++) {
      look(100, 100);
      if (i < 3) {
        crowd(90, stack);
      }
    }
    assertEquals(List.of(), find());
  }

  @Test
  void waitingIsOnlyOfWhoStandsOnTopOfTheStack() {
    // A method of the application between: what it waits for is its own affair.
    int stack = stack("java.lang.Thread.sleep", "app.Filter.test", SEMAPHORE, APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(90, stack);
    }
    assertEquals(List.of(), find());
  }

  @Test
  void putAndTakeAreTold() {
    String await = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await";
    int put = stack(PARK, await, "java.util.concurrent.ArrayBlockingQueue.put", APP);
    int take = stack(PARK, await, "java.util.concurrent.ArrayBlockingQueue.take", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(50, take);
    }
    assertEquals(List.of(), find(), "they have nothing to do");
    crowds.values().forEach(List::clear);
    for (int i = 0; i < 10; i++) {
      look(100, 100);
      crowd(50, put);
    }
    assertEquals(WaitKind.FULL_QUEUE, find().getFirst().kind());
  }

  @Test
  void aServerThatWaitsForRequestsIsIdle() {
    String read = "sun.nio.ch.NioSocketImpl.read";
    int server = stack(PARK, read, "jdk.internal.net.Server.next");
    int client = stack(PARK, read, "lib.Driver.query", APP);
    int either = stack(PARK, read, APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(100, server);
    }
    assertEquals(List.of(), find());
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(100, either);
    }
    assertFalse(find().getFirst().seen().limits(), "it may be a request that nobody has made");
    crowds.values().forEach(List::clear);
    for (int i = 0; i < 20; i++) {
      look(100, 100);
      crowd(100, client);
    }
    assertEquals(WaitKind.REMOTE, find().getFirst().kind());
  }

  @Test
  void namesWhatTheHolderDoes() {
    int waiting = stack(PARK, "java.util.concurrent.locks.ReentrantLock.lock", "app.Account.book");
    int holder =
        stack("java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep", "app.Audit.write");
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, waiting, Thread.State.WAITING, holder);
    }
    Behavior found = find().getFirst();
    assertEquals(WaitKind.LOCK, found.kind());
    assertEquals(
        "app.Audit.write",
        found.seen().detail("holder").orElseThrow().frame().orElseThrow().qualifiedMethod());
    assertEquals("sleep", found.seen().detail("holderWaitsFor").orElseThrow().text());
  }

  /** A server logs between two requests: Logback's lock is the place, not that of every lock. */
  @Test
  void namesTheLibraryWhereNoFrameIsTheApplications() {
    int logs =
        stack(
            PARK,
            "java.util.concurrent.locks.ReentrantLock.lock",
            "log.Appender.write",
            "web.Io.run");
    int reads =
        stack(
            PARK,
            "java.util.concurrent.locks.ReentrantLock.lock",
            "web.Buffers.take",
            "web.Io.run");
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(60, logs);
      crowd(30, reads);
    }
    List<Finding.Wait> found = find(type -> type.isJdk() ? new Owner.Jdk() : LIBRARY);
    assertEquals(
        List.of("log.Appender.write", "web.Buffers.take"),
        found.stream()
            .map(wait -> wait.seen().inside().orElseThrow().qualifiedMethod())
            .sorted()
            .toList());
    assertEquals(LIBRARY, found.getFirst().seen().owner());
  }

  /** So many looks, each of which saw 49 threads wait for HikariCP. */
  private Behavior poolFinding(int looksAll, int looksWithCrowd) {
    int stack = stack(PARK, "com.zaxxer.hikari.pool.HikariPool.getConnection", APP);
    for (int i = 0; i < looksAll; i++) {
      look(100, 100);
      if (i < looksWithCrowd) {
        crowd(40, stack);
      }
    }
    return find().getFirst();
  }

  private void pool(String sort, String name, int bound, int inUse, int waiting) {
    for (int look = 1; look <= 10; look++) {
      pools.add(new SeenPool(look, sort, name, bound, inUse, waiting));
    }
  }

  @Test
  void aPoolThatSaysNothingHasNoBound() {
    pool("commons-pool2", "pool", 8, 8, 3);
    Behavior found = poolFinding(10, 10);
    assertEquals(WaitKind.POOL, found.kind());
    assertTrue(found.seen().detail("bound").isEmpty());
    assertTrue(found.seen().detail("waitsPerUse").isEmpty());
  }

  @Test
  void ofTwoPoolsOfOneSortNobodyKnowsWhichItIs() {
    pool("HikariCP", "orders", 10, 10, 40);
    pool("HikariCP", "reports", 5, 5, 3);
    assertTrue(poolFinding(10, 10).seen().detail("bound").isEmpty());
  }

  @Test
  void aPoolThatNobodyWaitsForIsNotIt() {
    pool("HikariCP", "orders", 10, 10, 40);
    pool("HikariCP", "reports", 5, 2, 0);
    Behavior found = poolFinding(10, 10);
    assertEquals(10, amount(found, "bound"));
    assertEquals("orders", found.seen().detail("name").orElseThrow().text());
  }

  /** It opens connections slowly, or they are broken: a larger pool would not help. */
  @Test
  void aPoolThatIsNotUsedUpGetsNoPrediction() {
    pool("HikariCP", "orders", 10, 3, 40);
    Behavior found = poolFinding(10, 10);
    assertEquals(10, amount(found, "bound"));
    assertEquals(3, amount(found, "inUse"));
    assertTrue(found.seen().detail("waitsPerUse").isEmpty());
    assertTrue(found.seen().detail("withTwice").isEmpty());
  }

  @Test
  void aPoolThatIsFreeAtTimesGetsNoPrediction() {
    pool("HikariCP", "orders", 10, 10, 40);
    Behavior found = poolFinding(10, 6);
    assertEquals(10, amount(found, "bound"));
    assertTrue(found.seen().detail("waitsPerUse").isEmpty());
  }

  @Test
  void aPoolThatIsUsedUpAllTheTimeGetsOne() {
    pool("HikariCP", "orders", 10, 10, 40);
    Behavior found = poolFinding(10, 10);
    assertEquals(4, amount(found, "waitsPerUse"), 1e-9);
    assertEquals(2, amount(found, "withTwice"), 1e-9);
    assertEquals(0, amount(found, "threadsError"), 1e-9);
  }

  /** With few that wait, twice as many objects are not all used. */
  @Test
  void twiceAsManyLetInNoMoreThanWait() {
    pool("HikariCP", "orders", 80, 80, 40);
    assertEquals(1.5, amount(poolFinding(10, 10), "withTwice"), 1e-9);
  }

  private static final String PROXY =
      "com.zaxxer.hikari.pool.HikariProxyPreparedStatement.executeQuery";

  private static final String DRIVER = "org.db.Command.executeQuery";

  /** Forty threads wait for the pool of ten, and so many of those that use it stand there. */
  private Behavior poolOfUsers(int users, Thread.State state, String... stack) {
    return poolAskedIn(List.of(APP), users, state, stack);
  }

  /** The same of a pool that is asked in that code. */
  private Behavior poolAskedIn(
      List<String> asking, int users, Thread.State state, String... stack) {
    clear();
    pool("HikariCP", "orders", 10, 10, 40);
    List<String> whole = new ArrayList<>(asking);
    whole.addAll(0, List.of(PARK, "com.zaxxer.hikari.pool.HikariPool.getConnection"));
    int waiting = stack(whole.toArray(new String[0]));
    int using = stack(stack);
    for (int i = 0; i < 10; i++) {
      look(100, 100);
      crowd(40, waiting);
      crowd(users, using, state, 0);
    }
    return find().stream().filter(wait -> wait.kind() == WaitKind.POOL).findFirst().orElseThrow();
  }

  private void clear() {
    looks.clear();
    crowds.clear();
    pools.clear();
  }

  private static String lockOfUsers(Behavior found) {
    return found.seen().detail(Observation.LOCK_OF_USERS).map(Observation.Detail::text).orElse("");
  }

  /** A larger pool would only let more threads wait for the lock. */
  @Test
  void aPoolWhoseUsersWaitForOneLockIsNotTheCause() {
    Behavior found = poolOfUsers(8, Thread.State.BLOCKED, DRIVER, PROXY, APP);
    assertEquals(DRIVER, lockOfUsers(found));
    assertEquals(8, amount(found, "usersAtLock"), 1e-9);
    assertTrue(found.seen().detail("withTwice").isEmpty());
    assertTrue(found.advice().contains(DRIVER), found.advice());
    assertFalse(found.advice().contains("enlarge"), found.advice());
  }

  @Test
  void itsUsersMayWaitForALockOfTheJdk() {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    Behavior found =
        poolOfUsers(8, Thread.State.WAITING, PARK, lock, "org.db.Session.lock", PROXY, APP);
    assertEquals("org.db.Session.lock", lockOfUsers(found));
  }

  @Test
  void aPoolOfWhichFewUsersWaitForALockMayBeTooSmall() {
    Behavior found = poolOfUsers(4, Thread.State.BLOCKED, DRIVER, PROXY, APP);
    assertEquals("", lockOfUsers(found));
    assertEquals(2, amount(found, "withTwice"), 1e-9);
  }

  @Test
  void usersThatWaitForTheDatabaseDoNotWaitForALock() {
    assertEquals(
        "",
        lockOfUsers(
            poolOfUsers(
                10,
                Thread.State.WAITING,
                PARK,
                "sun.nio.ch.NioSocketImpl.park",
                "org.db.Stream.read",
                PROXY,
                APP)));
  }

  private static final String AROUND =
      "org.springframework.transaction.interceptor.TransactionAspectSupport"
          + ".invokeWithinTransaction";

  private static final String BEGINS =
      "org.springframework.transaction.interceptor.TransactionAspectSupport"
          + ".createTransactionIfNecessary";

  /** Eight of the threads that use the pool, which is asked in that code, wait for a lock. */
  private String lockBesideThePool(List<String> asking, String... using) {
    return lockOfUsers(poolAskedIn(asking, 8, Thread.State.BLOCKED, using));
  }

  /** A transaction has its connection while the application does something else. */
  @Test
  void threadsInATransactionThatBeganWithThePoolAreItsUsers() {
    List<String> transactional = List.of(BEGINS, AROUND, APP);
    String own = "app.Audit.write";
    assertEquals("", lockBesideThePool(List.of(APP), own, AROUND, APP), "no transaction begins so");
    assertEquals("", lockBesideThePool(transactional, own, APP), "outside of transactions");
    assertEquals(
        "",
        lockBesideThePool(transactional, "org.lib.Manager.doBegin", BEGINS, AROUND, APP),
        "has none yet");
    assertEquals(
        "",
        lockBesideThePool(
            transactional,
            "org.db.Driver.connect",
            "com.zaxxer.hikari.pool.HikariPool.getConnection",
            own,
            AROUND,
            APP),
        "wants a second one");
    assertEquals(own, lockBesideThePool(transactional, own, "app.Orders.add", AROUND, APP));
  }

  /** The pool is asked when a transaction begins, and so many other threads sleep. */
  private Behavior poolOfTransactions(int sleeping, String... stack) {
    return poolAskedIn(List.of(BEGINS, AROUND, APP), sleeping, Thread.State.TIMED_WAITING, stack);
  }

  private static final String SLEEP = "java.lang.Thread.sleep";

  @Test
  void transactionsThatSleepKeepThePool() {
    Behavior found = poolOfTransactions(8, SLEEP, "app.Orders.report", AROUND, APP);
    assertTrue(
        found
            .kind()
            .evidence(found.seen())
            .contains(
                "mean 8 of 10 were not used meanwhile: their transactions waited in"
                    + " app.Orders.report (sleep)"),
        found.kind().evidence(found.seen()).toString());
    assertTrue(
        found.advice().startsWith("End the transaction before the wait in app.Orders.report, "),
        found.advice());
  }

  /** They are few, outside of the transaction, at its beginning, or use their connection. */
  @Test
  void otherThreadsThatSleepDoNotKeepThePool() {
    List<List<String>> others =
        List.of(
            List.of(SLEEP, "app.Orders.report", APP),
            List.of(SLEEP, "org.lib.Manager.doBegin", BEGINS, AROUND, APP),
            List.of(SLEEP, DRIVER, PROXY, "app.Orders.find", AROUND, APP));
    for (List<String> other : others) {
      assertNoTransactionWaits(poolOfTransactions(8, other.toArray(new String[0])));
    }
    assertNoTransactionWaits(poolOfTransactions(4, SLEEP, "app.Orders.report", AROUND, APP));
  }

  private static void assertNoTransactionWaits(Behavior found) {
    assertFalse(
        found.kind().evidence(found.seen()).toString().contains("transaction"),
        found.kind().evidence(found.seen()).toString());
    assertFalse(found.advice().contains("transaction"), found.advice());
  }

  /** They have no object yet, or have given it back. */
  @Test
  void threadsThatWaitForALockOutsideOfThePoolAreNotItsUsers() {
    assertEquals("", lockOfUsers(poolOfUsers(8, Thread.State.BLOCKED, DRIVER, APP)));
    // The pool connects, in a driver that takes one lock for all.
    assertEquals(
        "",
        lockOfUsers(
            poolOfUsers(
                8,
                Thread.State.BLOCKED,
                "org.db.Driver.connect",
                "com.zaxxer.hikari.pool.HikariPool.newConnection",
                "com.zaxxer.hikari.pool.HikariPool.getConnection",
                APP)));
    // A task of the pool, and a lock of the pool itself.
    assertEquals(
        "",
        lockOfUsers(
            poolOfUsers(
                8,
                Thread.State.BLOCKED,
                "org.db.Driver.connect",
                "com.zaxxer.hikari.pool.HikariPool$PoolEntryCreator.call",
                "java.lang.VirtualThread.run")));
    assertEquals("", lockOfUsers(poolOfUsers(8, Thread.State.BLOCKED, PROXY, APP)));
  }

  /** Before Java 24 threads that wait to enter a monitor keep their carriers. */
  @Test
  void itsUsersMayBePinnedAtAMonitor() {
    Frame enters = Pins.frame("org.db.Command", "executeQuery", 0, 196);
    StackTrace stack =
        Pins.stack(
            enters,
            Pins.frame("com.zaxxer.hikari.pool.HikariProxyPreparedStatement", "executeQuery", 4, 1),
            Pins.frame("app.Orders", "find", 9, 9));
    Pins many = new Pins();
    Pins few = new Pins();
    for (int thread = 1; thread <= 8; thread++) {
      many.pin(thread, 60_000, stack, new PinCause.MonitorEntry(enters, "org.db.Database"));
      few.pin(thread, 900, stack, new PinCause.MonitorEntry(enters, "org.db.Database"));
    }
    pins = many.findings().pins();
    pool("HikariCP", "orders", 10, 10, 40);
    assertEquals(DRIVER, lockOfUsers(poolFinding(10, 10)));
    looks.clear();
    crowds.clear();
    pins = few.findings().pins();
    assertEquals("", lockOfUsers(poolFinding(10, 10)));
  }

  private static double amount(Behavior found, String detail) {
    return found.seen().detail(detail).orElseThrow().amount().orElseThrow().value();
  }

  @Test
  void aLockThatOneHasAtATimeHasThatBoundAndManyLocksHaveNone() {
    int waiting = stack(PARK, "java.util.concurrent.locks.ReentrantLock.lock", "app.Account.book");
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, waiting);
    }
    assertEquals(1, amount(find().getFirst(), "bound"));
    assertEquals(99, amount(find().getFirst(), "waitsPerUse"));
    crowds.values().forEach(List::clear);
    for (long look = 1; look <= 5; look++) {
      crowds.get(look).add(new WaitCrowd(look, waiting, Thread.State.WAITING, "", 0, 9, 99, 0, 0));
    }
    assertTrue(find().getFirst().seen().detail("bound").isEmpty());
  }

  @Test
  void whoIsBlockedWaitsForAMonitor() {
    int stack = stack("app.Account.book", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, Thread.State.BLOCKED, 0);
    }
    assertEquals(WaitKind.MONITOR, find().getFirst().kind());
  }

  /**
   * Whoever returns an object wakes all, and each has to have the pool's monitor before it can see
   * that another was faster.
   */
  @Test
  void whoWasWokenAndStillHasNoneWaitsForThePool() {
    String checkout = "com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource";
    int woken = stack("java.lang.Object.wait0", "java.lang.Object.wait", checkout, APP);
    pool("c3p0", "1hge13f|7a92922", 10, 10, 40);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(49, woken, Thread.State.BLOCKED, 0);
      crowd(50, woken, Thread.State.WAITING, 0);
    }
    Behavior found = find().getFirst();
    assertEquals(1, find().size());
    assertEquals(WaitKind.POOL, found.kind());
    assertEquals(99, found.seen().atOnce().orElseThrow().mean());
    assertEquals(10, amount(found, "bound"));
    assertTrue(found.seen().detail("name").isEmpty(), "made up by c3p0, another one in each run");
  }

  @Test
  void whoEntersThePoolWaitsForItsMonitor() {
    int enters = stack("com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, enters, Thread.State.BLOCKED, 0);
    }
    assertEquals(WaitKind.MONITOR, find().getFirst().kind());
  }

  @Test
  void howAThreadWaitsCountsAsWellAsWhere() {
    int stack = stack("java.lang.Object.wait0", "java.lang.Object.wait", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(40, stack, Thread.State.BLOCKED, 0);
      crowd(60, stack, Thread.State.WAITING, 0);
    }
    assertEquals(
        List.of(WaitKind.MONITOR, WaitKind.SIGNAL), find().stream().map(Behavior::kind).toList());
  }

  /** The JDK's own method says nothing of the place, but which monitor of the JDK it is does. */
  @Test
  void theLibraryBetweenIsNamed() {
    String put = "java.util.concurrent.LinkedBlockingQueue.put";
    int full = stack(PARK, put, "org.lib.Producer.add", APP);
    int own = stack(PARK, put, "app.Direct.add");
    int print = stack("java.io.PrintStream.println", "app.Log.write");
    for (int i = 0; i < 5; i++) {
      look(200, 200);
      crowd(90, full);
      crowd(50, own);
      crowd(40, print, Thread.State.BLOCKED, 0);
    }
    assertEquals(
        List.of("org.lib.Producer.add", "app.Direct.add", "java.io.PrintStream.println"),
        find().stream()
            .map(found -> found.seen().inside().orElseThrow().qualifiedMethod())
            .toList());
  }

  /** One method of the application may lead to several monitors. */
  @ParameterizedTest
  @CsvSource({"10, 80, commit", "80, 10, add"})
  void theMonitorAtWhichMostThreadsWaitIsNamed(int adding, int committing, String named) {
    int add = stack("org.lib.Index.add", APP);
    int commit = stack("org.lib.Index.commit", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(adding, add, Thread.State.BLOCKED, 0);
      crowd(committing, commit, Thread.State.BLOCKED, 0);
    }
    assertEquals(
        "org.lib.Index." + named,
        find().getFirst().seen().inside().orElseThrow().qualifiedMethod());
  }

  /** PrintStream has a monitor on some JDKs, and a lock of its own on others. */
  @Test
  void theMethodOfTheJdkThatTakesALockIsNamed() {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    String internal = "jdk.internal.misc.InternalLock.lock";
    int locked = stack(PARK, lock, internal, "java.io.PrintStream.println", "app.Log.write");
    int own = stack(PARK, lock, "app.Orders.find");
    int monitor = stack("java.util.Hashtable.get", "app.Cache.find");
    for (int i = 0; i < 5; i++) {
      look(200, 200);
      crowd(90, locked);
      crowd(50, own);
      crowd(40, monitor, Thread.State.BLOCKED, 0);
    }
    List<Behavior> found = List.copyOf(find());
    assertEquals(
        List.of("java.io.PrintStream.println", "app.Orders.find", "java.util.Hashtable.get"),
        found.stream().map(each -> each.seen().inside().orElseThrow().qualifiedMethod()).toList());
    List<String> advice = found.stream().map(Behavior::advice).toList();
    assertTrue(
        advice.get(0).startsWith("It is inside the JDK (PrintStream): call that less often"),
        advice::toString);
    assertTrue(advice.get(1).startsWith("Hold it for less time"), advice::toString);
    assertTrue(
        advice
            .get(2)
            .startsWith(
                "It is inside the JDK (Hashtable): use a collection of java.util.concurrent"),
        advice::toString);
  }

  /** Users of a library cannot hold its locks for less time. */
  @ParameterizedTest
  @EnumSource(names = {"BLOCKED", "WAITING"})
  void theLockOfALibraryIsUsedLess(Thread.State state) {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    String inside = "org.lib.Handler.register";
    int stack = state == Thread.State.BLOCKED ? stack(inside, APP) : stack(PARK, lock, inside, APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, state, 0);
    }
    Function<ClassRef, Owner> owners =
        type -> type.name().startsWith("org.lib") ? LIBRARY : owner(type);
    String advice = find(owners).getFirst().advice();
    assertTrue(advice.startsWith("It is inside org.web:web 1.0: use that less often"), advice);
  }

  /** Calls of the library take it and give it back. */
  @Test
  void theLockThatUsersOfALibraryHoldIsHeldForLess() {
    int stack =
        stack(
            PARK, "org.h2.mvstore.tx.Transaction.waitFor", "org.h2.command.dml.Update.update", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, Thread.State.TIMED_WAITING, 0);
    }
    Function<ClassRef, Owner> owners =
        type -> type.name().startsWith("org.h2") ? LIBRARY : owner(type);
    String advice = find(owners).getFirst().advice();
    assertTrue(advice.startsWith("The code that uses the library holds it"), advice);
  }

  /** No version of Kotlin holds it for less time. */
  @ParameterizedTest
  @CsvSource({"kotlin.SynchronizedLazyImpl, true", "kotlin.UnsafeLazyImpl, false"})
  void aLazyPropertyIsReadEarly(String type, boolean early) {
    int stack = stack(type + ".getValue", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, Thread.State.BLOCKED, 0);
    }
    Function<ClassRef, Owner> owners =
        each -> each.name().startsWith("kotlin") ? LIBRARY : owner(each);
    String advice = find(owners).getFirst().advice();
    assertEquals(early, advice.startsWith("Read the property at start-up, or declare it"), advice);
    assertEquals(early, advice.contains("LazyThreadSafetyMode.PUBLICATION"), advice);
    assertEquals(!early, advice.contains("look for a version"), advice);
  }

  @ParameterizedTest
  @EnumSource(names = {"BLOCKED", "WAITING"})
  void theLockOfTheApplicationIsHeldForLess(Thread.State state) {
    String lock = "java.util.concurrent.locks.ReentrantLock.lock";
    int stack = state == Thread.State.BLOCKED ? stack(APP) : stack(PARK, lock, APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, state, 0);
    }
    String advice = find().getFirst().advice();
    assertTrue(advice.startsWith("Hold it for less time"), advice);
  }

  /** Nobody can hold the JDK's monitors of class loading for less time. */
  @Test
  void classesThatAreWaitedForAreLoadedEarly() {
    String loader = "jdk.internal.loader.BuiltinClassLoader.loadClassOrNull";
    int stack = stack(loader, "org.lib.Handler.register", APP);
    for (int i = 0; i < 5; i++) {
      look(100, 100);
      crowd(99, stack, Thread.State.BLOCKED, 0);
    }
    String advice = find().getFirst().advice();
    assertTrue(advice.startsWith("Load these classes at start-up"), advice);
  }

  @Test
  void onePermitWasFree() {
    assertEquals("no permit was free in any sample", WaitText.free(0));
    assertTrue(WaitText.free(1).startsWith("up to 1 permit was free: "));
    assertTrue(WaitText.free(3).startsWith("up to 3 permits were free: "));
  }
}
