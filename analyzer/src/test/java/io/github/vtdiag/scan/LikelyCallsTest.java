package io.github.vtdiag.scan;

import static io.github.vtdiag.scan.ScannedSource.found;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Waits that only the declared types allow: the objects that the program makes have none. Each has
 * its twin that waits. Java 21 is where the monitors pin, and where streams have a lock in place of
 * their monitor.
 */
final class LikelyCallsTest {
  /** What makes streams of sockets, and a list that waits, part of every program here. */
  private static final String ELSEWHERE =
      """
      static void elsewhere() throws Exception {
        java.net.Socket socket = new java.net.Socket("h", 1);
        new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())).write(1);
        new DataInputStream(socket.getInputStream()).read();
        new BufferedReader(new InputStreamReader(socket.getInputStream())).read();
        new OutputStreamWriter(socket.getOutputStream()).write(1);
        new LinkedTransferQueue<String>();
        new Slow();
        Collections.synchronizedList(new LinkedList<String>());
        new Hashtable<String, String>();
      }
      static class Slow extends AbstractList<String> implements Iterator<String> {
        public Iterator<String> iterator() { return this; }
        public boolean hasNext() { sleep(); return false; }
        public String next() { return ""; }
        public boolean add(String s) { sleep(); return false; }
        public String get(int at) { sleep(); return ""; }
        public int size() { sleep(); return 0; }
      }
      static void sleep() { try { Thread.sleep(9); } catch (InterruptedException e) { } }
      """;

  @TempDir private Path folder;

  private List<String> scanned(String members) throws Exception {
    return found(
        ScannedSource.scan(
            JdkClasses.at(Jdk.JAVA_21.home()),
            ScannedSource.compileMembers(folder, members + ELSEWHERE)));
  }

  private void assertWaits(List<String> expected, String members) throws Exception {
    assertEquals(
        expected, scanned(members).stream().filter(each -> !each.startsWith("elsewhere")).toList());
  }

  @Test
  void monitorOfCollectionThatTheFieldNeverHolds() throws Exception {
    assertWaits(
        List.of(),
        """
        List<String> list = new ArrayList<>();
        void m() { list.forEach(each -> sleep()); }
        """);
  }

  @Test
  void monitorOfCollectionThatTheFieldHolds() throws Exception {
    assertWaits(
        List.of("m in forEach SLEEP"),
        """
        List<String> list = Collections.synchronizedList(new ArrayList<>());
        void m() { list.forEach(each -> sleep()); }
        """);
  }

  @Test
  void monitorOfCollectionThatUnseenCodeHandsOver() throws Exception {
    assertWaits(
        List.of(),
        """
        Map<String, String> map;
        public A(Map<String, String> map) { this.map = map; }
        public void m() { map.forEach((k, v) -> sleep()); }
        """);
  }

  @Test
  void monitorOfCollectionThatACallerHandsOver() throws Exception {
    assertWaits(
        List.of("m in forEach SLEEP"),
        """
        Map<String, String> map;
        public A(Map<String, String> map) { this.map = map; }
        static A make() { return new A(new Hashtable<>()); }
        public void m() { map.forEach((k, v) -> sleep()); }
        """);
  }

  @Test
  void monitorsOfOneMethodOfTheJdkCountOnce() throws Exception {
    assertWaits(
        List.of("m in computeIfAbsent SLEEP"),
        """
        Map<String, String> map = new ConcurrentHashMap<>();
        String m(String key) { return map.computeIfAbsent(key, k -> { sleep(); return k; }); }
        """);
  }

  /** A recording may show any of them. */
  @Test
  void monitorsOfOneMethodOfTheJdkAreNamed() throws Exception {
    Scan scan =
        ScannedSource.scan(
            JdkClasses.at(Jdk.JAVA_21.home()),
            ScannedSource.compileMembers(
                folder,
                """
                Map<String, String> map = new ConcurrentHashMap<>();
                String m(String key) { return map.computeIfAbsent(key, k -> { sleep(); return k; }); }
                """
                    + ELSEWHERE));
    assertEquals(
        List.of("computeIfAbsent"),
        scan.monitors().stream()
            .filter(each -> each.caller().isPresent() && each.caller().get().name().equals("m"))
            .flatMap(each -> each.others().stream())
            .map(LockSite::method)
            .distinct()
            .toList());
  }

  @Test
  void libraryThatIsMissing() throws Exception {
    Path library =
        ScannedSource.compile(
            folder,
            "library",
            "package lib.io; public class S { public static void get() { } public static int n; }");
    Path program =
        ScannedSource.compile(
            folder,
            "program",
            """
            package p;
            class P {
              synchronized void m() { a(); }
              void a() { b(); }
              void b() { lib.io.S.get(); }
            }
            """,
            library.toString());
    JdkClasses jdk = JdkClasses.at(Jdk.JAVA_21.home());
    assertEquals(List.of("lib.io"), ScannedSource.scan(jdk, program).missing());
    assertEquals(List.of(), ScannedSource.scan(jdk, program, library).missing());
  }

  @Test
  void missingLibraryThatIsCalledWithoutAMonitor() throws Exception {
    Path library =
        ScannedSource.compile(
            folder, "library", "package okio; public class S { public static void get() { } }");
    Path program =
        ScannedSource.compile(
            folder,
            "program",
            "package p; class P { synchronized void m() { } void b() { okio.S.get(); } }",
            library.toString());
    assertEquals(
        List.of(), ScannedSource.scan(JdkClasses.at(Jdk.JAVA_21.home()), program).missing());
  }

  @Test
  void iteratorOfTheJdkIsNoneOfTheProgram() throws Exception {
    assertWaits(
        List.of(),
        """
        List<String> list = new ArrayList<>();
        synchronized int m() { int n = 0; for (String s : list) { n++; } return n; }
        """);
    assertWaits(
        List.of(),
        """
        Map<String, String> map = new HashMap<>();
        synchronized int m() { int n = 0; for (String s : map.values()) { n++; } return n; }
        """);
    assertWaits(
        List.of(),
        """
        List<String> list = Collections.synchronizedList(new ArrayList<>());
        synchronized int m() { int n = 0; for (String s : list) { n++; } return n; }
        """);
  }

  @Test
  void iteratorThatUnseenCodeHandsOver() throws Exception {
    assertWaits(
        List.of(),
        """
        public synchronized void m(Iterator<String> from) {
          while (from.hasNext()) { from.next(); }
        }
        """);
  }

  @Test
  void taskOfManyThatUnseenCodeHandsOver() throws Exception {
    assertWaits(
        List.of(),
        """
        static class One implements Runnable { public void run() { sleep(); } }
        static class Two implements Runnable { public void run() { sleep(); } }
        static class Three implements Runnable { public void run() { sleep(); } }
        static class Four implements Runnable { public void run() { sleep(); } }
        static Object[] made() { return new Object[] {new One(), new Two(), new Three(), new Four()}; }
        public synchronized void m(Runnable task) { task.run(); }
        """);
  }

  @Test
  void modeOfAChannel() throws Exception {
    assertWaits(
        List.of(),
        """
        synchronized void m() throws Exception {
          java.nio.channels.SocketChannel.open().configureBlocking(false);
        }
        """);
  }

  @Test
  void iteratorOfTheProgram() throws Exception {
    assertWaits(
        List.of("m SLEEP"),
        """
        List<String> list = new Slow();
        synchronized int m() { int n = 0; for (String s : list) { n++; } return n; }
        """);
  }

  @Test
  void queueThatNeverWaits() throws Exception {
    assertWaits(
        List.of(),
        "Queue<String> queue = new ArrayDeque<>(); synchronized void m() { queue.add(\"\"); }");
    assertWaits(
        List.of(),
        "Queue<String> queue = new LinkedTransferQueue<>();"
            + " synchronized void m() { queue.add(\"\"); }");
  }

  @Test
  void queueThatWaits() throws Exception {
    assertWaits(
        List.of("m PARK"),
        "BlockingQueue<String> queue = new LinkedBlockingQueue<>();"
            + " synchronized void m() throws Exception { queue.put(\"\"); }");
  }

  @Test
  void streamInMemory() throws Exception {
    assertWaits(
        List.of(),
        """
        synchronized void m() throws Exception {
          new DataOutputStream(new ByteArrayOutputStream()).write(new byte[9]);
          read(new DataInputStream(new ByteArrayInputStream(new byte[9])));
        }
        void read(DataInputStream in) throws Exception { in.readShort(); }
        """);
  }

  /** A stream of the program that wraps others, as in {@code streamOfTheProgramOn...}. */
  private static final String OWN_STREAM =
      """
      static class Own extends FilterOutputStream {
        Own(OutputStream out) { super(out); }
        Own(File file) throws Exception { this(new FileOutputStream(file)); }
        synchronized void m() throws Exception { super.close(); }
        synchronized void n() throws Exception { flush(); }
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new Own(socket.getOutputStream());",
        "new Own(new File(\"f\")); new Own(new BufferedOutputStream(socket.getOutputStream()));",
        "OutputStream any = (OutputStream) Class.forName(\"x\").newInstance(); new Own(any);",
      })
  void streamOfTheProgramOnSocket(String made) throws Exception {
    assertWaits(
        List.of("m SOCKET", "n SOCKET"),
        OWN_STREAM
            + "void make() throws Exception { java.net.Socket socket = new java.net.Socket(); "
            + made
            + "}");
  }

  @Test
  void streamOfTheProgramThatSetsAnotherBelow() throws Exception {
    assertWaits(
        List.of("m SOCKET", "n SOCKET"),
        OWN_STREAM
            + """
            static class Sub extends Own {
              Sub(java.net.Socket socket) throws Exception {
                super(new File("f"));
                out = socket.getOutputStream();
              }
            }
            """);
  }

  @Test
  void streamOfTheProgramOnFile() throws Exception {
    assertWaits(
        List.of(),
        OWN_STREAM
            + """
            OutputStream held;
            void make() throws Exception { held = new BufferedOutputStream(new Own(new File("g"))); }
            synchronized void o() throws Exception {
              Own own = new Own(new BufferedOutputStream(new FileOutputStream("f")));
              own.write(new byte[9]);
              own.close();
              held.flush();
            }
            """);
  }

  @Test
  void streamOfSocket() throws Exception {
    assertWaits(
        List.of("m SOCKET"),
        """
        java.net.Socket socket = new java.net.Socket();
        synchronized void m() throws Exception { read(new DataInputStream(socket.getInputStream())); }
        void read(DataInputStream in) throws Exception { in.readShort(); }
        """);
  }

  @Test
  void streamOfFileOrResource() throws Exception {
    assertWaits(
        List.of(),
        """
        void m() throws Exception {
          Properties properties = new Properties();
          properties.load(A.class.getResourceAsStream("p"));
          properties.load(A.class.getResource("p").openStream());
          properties.load(new InputStreamReader(new FileInputStream("p")));
        }
        """);
  }

  @Test
  void streamOfSocketThatTheJdkReadsUnderItsMonitor() throws Exception {
    assertWaits(
        List.of("m in load SOCKET"),
        """
        java.net.Socket socket = new java.net.Socket();
        void m() throws Exception { new Properties().load(socket.getInputStream()); }
        """);
  }

  @Test
  void lockInPlaceOfTheMonitor() throws Exception {
    assertWaits(
        List.of(),
        """
        java.net.Socket socket = new java.net.Socket();
        void m() throws Exception { new BufferedOutputStream(socket.getOutputStream()).write(1); }
        void n() throws Exception {
          new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
        }
        void o(OutputStream out) throws Exception { new ByteArrayOutputStream().writeTo(out); }
        """);
  }

  @Test
  void monitorOfSubclass() throws Exception {
    assertWaits(
        List.of("m in write SOCKET"),
        """
        java.net.Socket socket = new java.net.Socket();
        static class Own extends BufferedOutputStream { Own(OutputStream out) { super(out); } }
        void m() throws Exception { new Own(socket.getOutputStream()).write(new byte[9], 0, 9); }
        """);
    assertWaits(
        List.of("m in join OBJECT_WAIT"),
        """
        static class Own extends Thread { }
        void m() throws Exception { new Own().join(); }
        """);
  }

  @Test
  void objectThatALoopPassesRound() throws Exception {
    assertWaits(
        List.of(),
        """
        synchronized void m(List<String> list) {
          for (int i = 0; i < 9; i++) {
            list = Objects.requireNonNull(list);
            list.forEach(s -> { });
            for (String s : list) { list = Collections.unmodifiableList(list); }
          }
        }
        void n() { m(new ArrayList<>()); }
        """);
  }

  @Test
  void elementOfCollection() throws Exception {
    assertWaits(
        List.of("m SLEEP"),
        """
        interface Step { void go(); }
        static class Slow2 implements Step { public void go() { sleep(); } }
        static class Quick implements Step { public void go() { } }
        List<Step> steps = new ArrayList<>(List.of(new Slow2(), new Quick()));
        synchronized void m() { for (Step step : steps) { step.go(); } }
        """);
    assertWaits(
        List.of("m in join OBJECT_WAIT"),
        """
        static class Own extends Thread { }
        List<Own> threads = new ArrayList<>(List.of(new Own()));
        void m() throws Exception { for (Own own : threads) { own.join(); } }
        """);
  }

  @Test
  void taskThatIsKnownByItsMethodOnly() throws Exception {
    assertWaits(
        List.of(),
        """
        static void also() { ForkJoinTask.adapt(() -> { }); new FutureTask<>(() -> null); }
        synchronized void m(Optional<Runnable> task) { task.ifPresent(Runnable::run); }
        """);
  }

  @Test
  void handlerOfProxyThatIsOnlyMade() throws Exception {
    assertWaits(
        List.of(),
        """
        synchronized Object m() {
          return java.lang.reflect.Proxy.newProxyInstance(
              null, new Class<?>[0], (proxy, method, arguments) -> { sleep(); return null; });
        }
        """);
  }

  @Test
  void stageThatKeepsWhatItCalls() throws Exception {
    assertWaits(
        List.of(),
        "CompletableFuture<String> future = new CompletableFuture<>();"
            + " synchronized void m() { future.thenApply(s -> s).whenComplete((s, e) -> { }); }");
    assertWaits(
        List.of(),
        "synchronized void m(CompletionStage<String> stage) { stage.thenAccept(s -> sleep()); }");
  }

  @Test
  void functionThatOnlyUnseenCodeHandsOver() throws Exception {
    assertWaits(
        List.of(),
        """
        static Consumer<String> other() { return s -> sleep(); }
        Map<String, String> map = Collections.synchronizedMap(new HashMap<>());
        public void m(Consumer<String> action) { map.values().forEach(action); }
        """);
  }

  /** What runs a function runs that of its caller, and not that of any. */
  @Test
  void functionOfAnotherCaller() throws Exception {
    assertWaits(
        List.of(),
        """
        static void each(Consumer<String> action) { action.accept(""); }
        void other() { each(s -> sleep()); }
        synchronized void m() { each(s -> { }); }
        """);
    assertWaits(
        List.of(),
        """
        List<String> list = new ArrayList<>();
        void all(Consumer<String> action) { list.forEach(s -> one(s, action)); }
        void one(String s, Consumer<String> action) { action.accept(s); }
        void other() { all(s -> sleep()); }
        synchronized void m() { all(s -> { }); }
        """);
  }

  @Test
  void functionOfThisCaller() throws Exception {
    assertWaits(
        List.of("m SLEEP"),
        """
        List<String> list = new ArrayList<>();
        void all(Consumer<String> action) { list.forEach(s -> one(s, action)); }
        void one(String s, Consumer<String> action) { action.accept(s); }
        void other() { all(s -> { }); }
        synchronized void m() { all(s -> sleep()); }
        """);
    assertWaits(
        List.of("m SLEEP"),
        """
        synchronized void m(Consumer<String> action) { action.accept(""); }
        void other() { m(s -> { }); m(s -> sleep()); }
        """);
    assertWaits(
        List.of("m SLEEP"),
        """
        static class Sleeper implements Consumer<String> {
          public void accept(String s) { sleep(); }
        }
        static void each(Consumer<String> action) { action.accept(""); }
        void other() { each(s -> { }); }
        synchronized void m() { each(new Sleeper()); }
        """);
  }

  @Test
  void interfaceThatTheCalleeDoesNotImplement() throws Exception {
    assertWaits(
        List.of(),
        """
        List<String> list = new ArrayList<>();
        void other() { list.forEach(s -> sleep()); }
        static class Some { synchronized void forEach(Consumer<? super String> c) { c.accept(""); } }
        void own() { new Some().forEach(s -> { }); }
        """);
  }

  @Test
  void channelsThatFilesAndClosingUse() throws Exception {
    assertWaits(
        List.of(),
        """
        void m(java.nio.channels.FileChannel channel) throws Exception {
          channel.transferFrom(channel, 0, 9);
        }
        void n(Socket socket) throws Exception { socket.channel.close(); }
        static class Socket { java.nio.channels.SocketChannel channel; }
        static void elsewhereToo() throws Exception {
          java.nio.channels.Channels.newChannel(new java.net.Socket().getOutputStream()).write(null);
        }
        """);
  }
}
