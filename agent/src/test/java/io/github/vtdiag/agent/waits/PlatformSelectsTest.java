package io.github.vtdiag.agent.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.ends.OwnConnections;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import io.github.vtdiag.watch.CarrierStates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlatformSelectsTest {
  private static final long PERIOD = TimeUnit.SECONDS.toNanos(6);

  private static final int FILE = 9;

  private interface Body {
    void run(Selector selector) throws IOException;
  }

  /** Tells of each thread how often it ran. */
  private static final class Runs implements CarrierStates {
    private long number;
    private boolean wantsProcessor;
    private boolean isInNative;

    @Override
    public boolean mayWantProcessor(Thread carrier) {
      return wantsProcessor;
    }

    @Override
    public boolean isInNative(Thread carrier) {
      return isInNative;
    }

    @Override
    public OptionalInt reads(Thread thread) {
      return OptionalInt.of(FILE);
    }

    @Override
    public OptionalInt inNative(List<Thread> carriers) {
      throw new AssertionError(carriers);
    }

    @Override
    public boolean readsPipe(Thread carrier) {
      throw new AssertionError(carrier);
    }

    @Override
    public long waitNumber(Thread carrier, Thread.State state) {
      throw new AssertionError(carrier);
    }

    @Override
    public long runs(Thread carrier) {
      return number;
    }

    @Override
    public void close() {}
  }

  private final List<Selector> selectors = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Map<Thread, Thread> mounted = new HashMap<>();
  private final Runs runs = new Runs();
  private boolean made;
  private boolean silent;
  private final CountDownLatch initialized = new CountDownLatch(1);
  private final List<Socket> sockets = new ArrayList<>();
  private final PlatformSelects selects =
      new PlatformSelects(
          runs,
          new OwnConnections.OfFiles() {
            @Override
            public boolean isMade(int file) {
              return file == FILE && made;
            }

            @Override
            public boolean isSilent(int file) {
              return file == FILE && silent;
            }
          },
          new LoopsBack(new LoopTargets(LoopTargetsTest.CLASSES))::ownEvents,
          () -> threads,
          stack -> 7);

  PlatformSelectsTest() {
    runs.number = 1;
  }

  @AfterEach
  void end() throws IOException {
    initialized.countDown();
    for (Selector selector : selectors) {
      selector.close();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static void fill(Selector selector) throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(10);
    while (answer.hasRemaining()) {
      selector.select();
      selector.selectedKeys().clear();
    }
  }

  private static void once(Selector selector) throws IOException {
    selector.select();
  }

  private static void serve(Selector selector) throws IOException {
    while (selector.isOpen()) {
      selector.select();
      selector.selectedKeys().clear();
    }
  }

  @SuppressWarnings("InfiniteLoop")
  private static void fillAgain(Selector selector) throws IOException {
    while (true) {
      fill(selector);
    }
  }

  private void start(Body body) throws IOException, InterruptedException {
    Selector selector = Selector.open();
    selectors.add(selector);
    Thread thread = new Thread(() -> run(body, selector));
    thread.setDaemon(true);
    thread.start();
    awaitSelect(thread);
    threads.add(thread);
  }

  private static void run(Body body, Selector selector) {
    try {
      body.run(selector);
    } catch (IOException | ClosedSelectorException e) {
      // The test has ended.
    }
  }

  private static void awaitSelect(Thread thread) throws InterruptedException {
    while (Arrays.stream(thread.getStackTrace())
        .noneMatch(frame -> frame.getMethodName().equals("doSelect"))) {
      Thread.sleep(10);
    }
  }

  private List<LongWait> after(int looks) {
    List<LongWait> all = List.of();
    for (int i = 0; i < looks; i++) {
      all = selects.of(i + 1, PERIOD, mounted);
    }
    return all;
  }

  @Test
  void anEventLoopIsIdle() throws Exception {
    start(PlatformSelectsTest::serve);
    assertEquals(List.of(), after(8));
  }

  @Test
  void whoComesBackToItMayHaveHadAnswers() throws Exception {
    start(PlatformSelectsTest::fillAgain);
    assertEquals(List.of(), after(8));
  }

  @Test
  void aTaskMaySubmitItselfAgain() throws Exception {
    Selector selector = Selector.open();
    selectors.add(selector);
    try (ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task);
              threads.add(thread);
              return thread;
            })) {
      executor.execute(() -> run(PlatformSelectsTest::once, selector));
      awaitSelect(threads.getFirst());
      assertEquals(List.of(), after(8));
      selector.close();
    }
  }

  @Test
  void whoWaitsUntilABufferIsFullExpectsAnAnswer() throws Exception {
    start(PlatformSelectsTest::fill);
    LongWait wait = after(8).getFirst();
    assertEquals(WaitDetail.of(WaitDetail.Kind.PLATFORM), wait.detail());
    assertEquals(7 * PERIOD, wait.longestNanos());
  }

  @Test
  void whoWaitsOnceDoes() throws Exception {
    start(PlatformSelectsTest::once);
    assertEquals(1, after(8).size());
  }

  @Test
  void aThreadThatRanWaitsAnew() throws Exception {
    start(PlatformSelectsTest::fill);
    after(8);
    runs.number++;
    assertEquals(List.of(), after(1));
  }

  @Test
  void aThreadThatHasChangedItsCarrierRan() throws Exception {
    start(PlatformSelectsTest::fill);
    Thread waiting = threads.removeFirst();
    mounted.put(waiting, new Thread(() -> {}));
    assertEquals(1, after(8).size());
    mounted.put(waiting, new Thread(() -> {}));
    assertEquals(List.of(), after(1));
  }

  @Test
  void nothingIsKnownWhereTheSystemDoesNotTell() throws Exception {
    runs.number = 0;
    start(PlatformSelectsTest::fill);
    assertEquals(List.of(), after(8));
  }

  private static void ask(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    InputStream in = socket.getInputStream();
    out.write(1);
    out.flush();
    in.read();
  }

  private static void askEach(Socket socket) throws IOException {
    for (int i = 0; i < 10; i++) {
      ask(socket);
    }
  }

  private static void receive(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    while (in.read() >= 0) {
      Thread.onSpinWait();
    }
  }

  private interface Client {
    void run(Socket socket) throws IOException;
  }

  private void connect(Client client) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
      sockets.add(socket);
      sockets.add(server.accept());
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      client.run(socket);
                    } catch (IOException e) {
                      // The test has ended.
                    }
                  });
      while (Arrays.stream(thread.getStackTrace())
          .noneMatch(frame -> frame.getMethodName().equals("read0"))) {
        Thread.sleep(10);
      }
      threads.add(thread);
    }
  }

  @Test
  void whoServesAConnectionMayWaitForTheNextRequest() throws Exception {
    connect(PlatformSelectsTest::ask);
    connect(PlatformSelectsTest::receive);
    assertEquals(List.of(), after(8));
  }

  @Test
  void aSubscriberMayWaitForWhatComesNext() throws Exception {
    made = true;
    connect(PlatformSelectsTest::receive);
    assertEquals(List.of(), after(8));
  }

  @Test
  void aClientAwaitsTheAnswerToWhatItWrote() throws Exception {
    made = true;
    connect(PlatformSelectsTest::askEach);
    assertEquals(WaitDetail.of(WaitDetail.Kind.PLATFORM), after(8).getFirst().detail());
  }

  @Test
  void aConnectionOverWhichNothingHasEverComeIsNoSubscription() throws Exception {
    made = true;
    silent = true;
    connect(PlatformSelectsTest::receive);
    LongWait wait = after(8).getFirst();
    assertEquals(0, wait.returned());
    assertEquals(7 * PERIOD, wait.longestNanos());
  }

  @Test
  void whoHadAnAnswerBeforeMayGetTheNext() throws Exception {
    made = true;
    connect(PlatformSelectsTest::ask);
    after(8);
    runs.number++;
    assertEquals(1, after(3).getFirst().returned());
  }

  /** Is initialized as long as the test lasts. */
  private static final class Slow {
    static final Object VALUE = awaitEnd();

    private static Object awaitEnd() {
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return "";
    }
  }

  private static CountDownLatch end;

  private static void initialize() {
    if (Slow.VALUE == null) {
      throw new AssertionError();
    }
  }

  private void initializeInTwo() throws InterruptedException {
    end = initialized;
    Thread first = Thread.ofPlatform().daemon().start(PlatformSelectsTest::initialize);
    while (first.getState() != Thread.State.WAITING) {
      Thread.sleep(10);
    }
    Thread second = Thread.ofPlatform().daemon().start(PlatformSelectsTest::initialize);
    while (second.getStackTrace().length == 0
        || !second.getStackTrace()[0].getMethodName().equals("initialize")) {
      Thread.sleep(10);
    }
    threads.add(second);
  }

  @Test
  void whoNeedsAClassThatAnotherThreadInitializesWaits() throws Exception {
    initializeInTwo();
    runs.wantsProcessor = true;
    assertEquals(List.of(), after(8), "it computes");
    runs.number++;
    runs.wantsProcessor = false;
    runs.isInNative = true;
    assertEquals(List.of(), after(8), "it is in a call of native code");
    runs.number++;
    runs.isInNative = false;
    LongWait wait = after(8).getFirst();
    assertEquals(WaitDetail.of(WaitDetail.Kind.PLATFORM_CLASS), wait.detail());
  }
}
