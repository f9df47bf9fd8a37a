package io.github.vtdiag.scan;

import static io.github.vtdiag.scan.ScannedSource.found;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.MonitorRegion.Kind;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.scan.Scan.Monitor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Monitors under which nothing waits first. */
final class MonitorScannerTest {
  @TempDir private Path folder;

  private Path compile(String name, String source, String... classPath) throws IOException {
    return ScannedSource.compile(folder, name, source, classPath);
  }

  private static Scan scan(Path... path) throws Exception {
    return ScannedSource.scan(JdkClasses.running(), path);
  }

  private Scan scanOf(String members) throws Exception {
    return scan(ScannedSource.compileMembers(folder, members));
  }

  private void assertNothing(String members) throws Exception {
    Scan scan = scanOf(members);
    assertEquals(List.of(), found(scan));
    assertTrue(scan.sites() > 0, "the program has no monitor to look at");
  }

  private void assertFound(String expected, String members) throws Exception {
    assertEquals(List.of(expected), found(scanOf(members)));
  }

  @Test
  void computing() throws Exception {
    assertNothing("int n; synchronized int add(int by) { n += by; return n; }");
  }

  @Test
  void waitsOutsideTheBlock() throws Exception {
    assertNothing(
        "int n; void m() throws Exception { synchronized (this) { n++; } Thread.sleep(9); }");
  }

  @Test
  void implementationThatNobodyCreates() throws Exception {
    assertNothing(
        """
        interface Step { void go() throws Exception; }
        static class Quick implements Step { public void go() { } }
        static class Slow implements Step { public void go() throws Exception { Thread.sleep(9); } }
        Step step = new Quick();
        synchronized void m() throws Exception { step.go(); }
        """);
  }

  /** Nobody calls the nearer one; the other is on eight ways into the program. */
  @Test
  void whatIsOnManyWaysIntoTheProgramComesFirst() throws Exception {
    Scan scan =
        scanOf(
            """
            private static void alone() throws Exception {
              synchronized (A.class) { Thread.sleep(9); }
            }
            private synchronized void shared() throws Exception { near(); }
            private void near() throws Exception { Thread.sleep(9); }
            public void a() throws Exception { shared(); }
            public void b() throws Exception { shared(); }
            public void c() throws Exception { shared(); }
            public void d() throws Exception { a(); }
            public void e() throws Exception { a(); }
            public void f() throws Exception { b(); }
            public void g() throws Exception { b(); }
            public void h() throws Exception { c(); }
            """);
    assertEquals(List.of("shared SLEEP", "alone SLEEP"), found(scan));
    assertEquals(List.of(8, 0), scan.monitors().stream().map(Monitor::entries).toList());
  }

  @Test
  void waitOnAnotherLockKeepsThisOne() throws Exception {
    assertOnHeld(
        false,
        """
        Object other = new Object();
        synchronized void m() throws Exception { synchronized (other) { other.wait(); } }
        """,
        "m METHOD");
    assertOnHeld(
        false,
        """
        Object other = new Object();
        synchronized void m() throws Exception { await(); }
        void await() throws Exception { synchronized (other) { other.wait(); } }
        """,
        "m METHOD");
    assertOnHeld(false, "synchronized void m(Thread t) throws Exception { t.join(); }", "m METHOD");
  }

  @Test
  void waitOnThisLockLetsGoOfIt() throws Exception {
    assertOnHeld(
        true,
        """
        Object other = new Object();
        synchronized void m() throws Exception { synchronized (other) { other.wait(); } }
        """,
        "m BLOCK");
    assertOnHeld(
        true,
        """
        synchronized void m() throws Exception { await(); }
        void await() throws Exception { wait(); }
        """,
        "m METHOD");
  }

  private void assertOnHeld(boolean expected, String members, String site) throws Exception {
    Monitor monitor =
        scanOf(members).monitors().stream()
            .filter(
                each ->
                    site.equals(each.site().method() + " " + each.site().region().kind())
                        && each.caller().isEmpty())
            .findFirst()
            .orElseThrow();
    assertEquals(Wait.OBJECT_WAIT, monitor.waits());
    assertEquals(expected, monitor.onHeld());
  }

  @Test
  void recursionThatNeverWaits() throws Exception {
    assertNothing(
        "synchronized int m(int n) { return n == 0 ? 0 : o(n); } int o(int n) { return m(n - 1);"
            + " }");
  }

  @Test
  void taskForAnotherThread() throws Exception {
    assertNothing(
        """
        Executor pool = Executors.newFixedThreadPool(1);
        synchronized void m() { pool.execute(() -> sleep()); new Thread(() -> sleep()).start(); }
        static void sleep() { try { Thread.sleep(9); } catch (InterruptedException e) { } }
        """);
  }

  /** They take locks, log and load classes inside, all of which can wait. */
  @Test
  void everydayCallsOfTheJdk() throws Exception {
    assertNothing(
        """
        Map<String, String> map = new ConcurrentHashMap<>();
        Queue<String> queue = new LinkedBlockingQueue<>();
        List<String> list = new CopyOnWriteArrayList<>();
        synchronized String m(String s) {
          map.put(s, s);
          queue.offer(s);
          list.add(s);
          list.sort(Comparator.comparing(String::length));
          System.getLogger("p").log(System.Logger.Level.INFO, s);
          return String.format("%s %s", s, map.get(s)).toLowerCase(Locale.ROOT)
              + UUID.nameUUIDFromBytes(new byte[9]) + java.time.Instant.EPOCH;
        }
        """);
  }

  @Test
  void streamOfBytesInMemory() throws Exception {
    assertNothing(
        """
        java.io.InputStream in = new java.io.ByteArrayInputStream(new byte[9]);
        synchronized int m() throws Exception { return in.read(); }
        """);
  }

  @Test
  void readsOfFilesAreCountedApart() throws Exception {
    Scan scan =
        scanOf(
            """
            synchronized int m(java.io.FileInputStream in) throws Exception { return in.read(); }
            java.io.InputStream open() throws Exception { return new java.io.FileInputStream("f"); }
            """);
    assertEquals(List.of(), found(scan));
    assertEquals(1, scan.files());
  }

  @Test
  void sleepThroughThreeCalls() throws Exception {
    Scan scan =
        scanOf(
            """
            synchronized void m() throws Exception { a(); }
            void a() throws Exception { b(); }
            void b() throws Exception { c(); }
            void c() throws Exception { Thread.sleep(9); }
            """);
    Monitor monitor = scan.monitors().getFirst();
    assertEquals(Wait.SLEEP, monitor.waits());
    assertEquals(
        List.of("a", "b", "c", "sleep"), monitor.path().stream().map(m -> m.name()).toList());
    assertEquals(1, monitor.line());
    assertEquals(Kind.METHOD, monitor.site().region().kind());
    assertTrue(monitor.owner() instanceof Owner.Application, monitor::toString);
  }

  @Test
  void nearerComesFirst() throws Exception {
    assertEquals(
        List.of("near SLEEP", "far SLEEP"),
        found(
            scanOf(
                """
                synchronized void far() throws Exception { near(); }
                synchronized void near() throws Exception { Thread.sleep(9); }
                """)));
  }

  @Test
  void implementationThatIsCreated() throws Exception {
    assertFound(
        "m SLEEP",
        """
        interface Step { void go() throws Exception; }
        static class Slow implements Step { public void go() throws Exception { Thread.sleep(9); } }
        Step step = new Slow();
        synchronized void m() throws Exception { step.go(); }
        """);
  }

  @Test
  void objectWait() throws Exception {
    assertFound("m OBJECT_WAIT", "void m() throws Exception { synchronized (this) { wait(); } }");
  }

  @Test
  void waitForAnotherThreadDoesNotHideWhatTakesItsTime() throws Exception {
    Monitor monitor =
        scanOf(
                """
                boolean free;
                synchronized void m() throws Exception { while (!free) { wait(); } a(); }
                void a() throws Exception { Thread.sleep(9); }
                """)
            .monitors()
            .getFirst();
    assertEquals(Wait.OBJECT_WAIT, monitor.waits());
    assertEquals(Wait.SLEEP, monitor.also().orElseThrow().waits());
    assertEquals("a", monitor.also().orElseThrow().path().getFirst().name());
  }

  @Test
  void recursionThatWaits() throws Exception {
    assertFound(
        "m SLEEP",
        """
        void m(int n) throws Exception { synchronized (this) { o(n); } }
        void o(int n) throws Exception { if (n > 0) { o(n - 1); } else { Thread.sleep(9); } }
        """);
  }

  @Test
  void lambdaThatIsRunThere() throws Exception {
    assertFound(
        "m SLEEP",
        """
        void m() { synchronized (this) { run(() -> Thread.sleep(9)); } }
        interface Task { void go() throws Exception; }
        void run(Task task) { try { task.go(); } catch (Exception e) { } }
        """);
  }

  @Test
  void lambdaThatTheJdkCallsBack() throws Exception {
    assertFound(
        "m SLEEP",
        """
        synchronized void m(List<String> list) { list.forEach(each -> sleep()); }
        static void sleep() { try { Thread.sleep(9); } catch (InterruptedException e) { } }
        """);
  }

  @Test
  void monitorOfTheJdkAroundTheProgram() throws Exception {
    List<String> found =
        found(
            scanOf(
                """
                Map<String, String> map = new ConcurrentHashMap<>();
                String m(String key) { return map.computeIfAbsent(key, k -> slow(k)); }
                static String slow(String k) {
                  try { Thread.sleep(9); } catch (InterruptedException e) { }
                  return k;
                }
                """));
    assertTrue(found.contains("m in computeIfAbsent SLEEP"), found::toString);
  }

  @Test
  void lockInsideAMonitor() throws Exception {
    assertFound(
        "m LOCK",
        "Lock lock = new ReentrantLock(); synchronized void m() { lock.lock(); lock.unlock(); }");
  }

  @Test
  void socketByWayOfABuffer() throws Exception {
    List<String> found =
        found(
            scanOf(
                """
                java.io.InputStream in;
                void open() throws Exception {
                  in = new java.io.BufferedInputStream(new java.net.Socket("h", 1).getInputStream());
                }
                synchronized int m() throws Exception { return in.read(); }
                """));
    assertEquals("m SOCKET", found.getFirst());
  }

  @Test
  void concurrentWaits() throws Exception {
    List<String> found =
        found(
            scanOf(
                """
                BlockingQueue<String> queue = new LinkedBlockingQueue<>();
                Semaphore semaphore = new Semaphore(1);
                CompletableFuture<String> future = new CompletableFuture<>();
                synchronized void a() throws Exception { queue.take(); }
                synchronized void b() { semaphore.acquireUninterruptibly(); }
                synchronized void c() { future.join(); }
                synchronized void d(Future<String> any) throws Exception { any.get(); }
                synchronized void e() { LockSupport.park(); }
                synchronized void f(Thread thread) throws Exception { thread.join(); }
                """));
    for (String method : List.of("a", "b", "c", "d", "e", "f")) {
      assertTrue(found.stream().anyMatch(each -> each.startsWith(method + " ")), method + found);
    }
  }

  @Test
  void databaseWhoseDriverIsElsewhere() throws Exception {
    assertFound(
        "m DATABASE",
        "synchronized void m(java.sql.Statement s) throws Exception { s.execute(\"x\"); }");
  }

  @Test
  void nativeCodeOfTheProgram() throws Exception {
    assertFound("m NATIVE", "native void step(); synchronized void m() { step(); }");
  }

  @Test
  void nativeCodeThatOnlyLooksOrFrees() throws Exception {
    assertNothing(
        "native long getPage(); native void free_page(long at); native int bioLengthOf(long page);"
            + " synchronized void m() { bioLengthOf(1); free_page(getPage()); }");
  }

  @Test
  void libraryInAnotherPlace() throws Exception {
    Path library =
        compile("library", "package p; class L { synchronized void get(Runnable r) { r.run(); } }");
    Path program =
        compile(
            "program",
            """
            package p;
            class P {
              void m() {
                new L().get(() -> { try { Thread.sleep(9); } catch (InterruptedException e) { } });
              }
            }
            """,
            library.toString());
    assertEquals(List.of("get SLEEP"), found(scan(program, library)));
    assertEquals(List.of(), found(scan(library)));
  }
}
