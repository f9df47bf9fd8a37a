package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LoopTarget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

class CodeSitesTest {
  private static final String NAME = CodeSitesTest.class.getName();
  private static final Set<LoopTarget> READY = Set.of(field("ready"));
  private static final Set<LoopTarget> OPEN = Set.of(field("OPEN"));

  private static volatile boolean ready;
  private static int limit = 100;

  @SuppressWarnings("unused") // A result that nobody can take for unneeded.
  private static volatile long result;

  private static final AtomicBoolean OPEN_FLAG = new AtomicBoolean();

  private final CodeSites sites;

  CodeSitesTest() throws IOException {
    try (InputStream in = CodeSitesTest.class.getResourceAsStream("CodeSitesTest.class")) {
      sites = CodeSites.read(in.readAllBytes(), new ClassRef(NAME, "app"));
    }
  }

  static void counts() {
    long rounds = 0;
    while (!ready) {
      rounds++;
    }
    result = rounds;
  }

  static void writesItself() {
    while (!ready) {
      result = 1;
    }
  }

  static void callsOther() {
    while (!ready) {
      counts();
    }
  }

  static void endless() {
    while (true) {
      Thread.onSpinWait();
    }
  }

  static void waits() {
    while (!ready) {
      Thread.onSpinWait();
    }
  }

  static void waitsForJob(Job job) throws InterruptedException {
    while (!job.isComplete()) {
      Thread.sleep(50);
    }
  }

  static void waitsForFile(Path file) throws InterruptedException {
    while (!Files.exists(file)) {
      Thread.sleep(50);
    }
  }

  static void waitsForDeadline(Job job) throws InterruptedException {
    while (!job.isLate()) {
      Thread.sleep(50);
    }
  }

  static void waitsForSteps(Job job) throws InterruptedException {
    while (!job.step()) {
      Thread.sleep(50);
    }
  }

  static void waitsForSearch(Job job) throws InterruptedException {
    while (!job.hasFound()) {
      Thread.sleep(50);
    }
  }

  /** What a loop may ask again and again. */
  static final class Job {
    private int left = 3;

    boolean isComplete() {
      return left == 0;
    }

    boolean isLate() {
      return System.nanoTime() > left;
    }

    boolean step() {
      left--;
      return left == 0;
    }

    boolean hasFound() {
      for (int i = 0; i < left; i++) {
        if (i == 7) {
          return true;
        }
      }
      return false;
    }
  }

  static void waitsForFlag() {
    while (!OPEN_FLAG.get()) {}
  }

  @SuppressWarnings({"ThreadPriorityCheck", "LockNotBeforeTry"})
  static void tries(ReentrantLock lock) {
    while (!lock.tryLock()) {
      Thread.yield();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  static void handsOver(Queue<Integer> taken) {
    for (int i = 0; OPEN_FLAG.get(); i++) {
      if (taken.offer(i)) {
        return;
      }
      Thread.yield();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  static void computesInTurns(int[] sums) {
    while (!OPEN_FLAG.get()) {
      sums[0]++;
      Thread.yield();
    }
  }

  static void triesFlag() {
    while (!OPEN_FLAG.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
  }

  static void awaits(CountDownLatch latch) throws InterruptedException {
    while (!latch.await(1, TimeUnit.SECONDS)) {}
  }

  static void refreshes(CountDownLatch stop) throws InterruptedException {
    while (!stop.await(1, TimeUnit.SECONDS)) {
      sets();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck")
  static void polls(Queue<Runnable> tasks) {
    while (!Thread.interrupted()) {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      } else {
        Thread.yield();
      }
    }
  }

  static void asks(Map<String, String> answers, Set<Future<?>> tasks) throws InterruptedException {
    while (answers.get("it") == null) {
      Thread.sleep(50);
    }
    for (Future<?> task : tasks) {
      task.cancel(true);
    }
  }

  static void computes(Map<String, String> answers) throws InterruptedException {
    while (answers.computeIfAbsent("it", key -> key) == null) {
      Thread.sleep(50);
    }
  }

  static void tells(Object signal) throws InterruptedException {
    synchronized (signal) {
      while (!ready) {
        signal.wait(1_000);
        System.out.println("still waiting after " + System.nanoTime());
      }
    }
  }

  static void tellsOfTimeouts(ReentrantLock lock, Condition signal) {
    while (!ready) {
      try {
        signal.await(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        System.out.println(e.getMessage());
      }
    }
    lock.unlock();
  }

  static void signals(Condition signal) {
    while (!ready) {
      signal.signal();
    }
  }

  static void awaitsElement(boolean[] done) throws InterruptedException {
    while (!done[0]) {
      Thread.sleep(50);
    }
  }

  @SuppressWarnings("LockNotBeforeTry") // as livelocks do it
  static void takesTurns(ReentrantLock own, ReentrantLock other) throws InterruptedException {
    while (true) {
      own.lock();
      try {
        if (other.tryLock()) {
          try {
            sets();
            return;
          } finally {
            other.unlock();
          }
        }
      } finally {
        own.unlock();
      }
      Thread.sleep(ThreadLocalRandom.current().nextInt(20));
    }
  }

  static void retries() throws InterruptedException {
    while (!ready) {
      try {
        sets();
        return;
      } catch (IllegalStateException e) {
        Thread.sleep(50);
      }
    }
  }

  static void serves(CountDownLatch latch) {
    while (!ready) {
      counts();
      latch.countDown();
    }
  }

  static void does(CountDownLatch latch) {
    try {
      while (!ready) {
        counts();
      }
    } finally {
      latch.countDown();
    }
  }

  /** Counts the rounds, and tells of each hundredth; the count does not end the loop. */
  static void countsRounds() {
    long nanos = 0;
    int rounds = 0;
    while (!ready) {
      nanos += 20;
      if (++rounds % 100 == 0) {
        System.out.println("not ready after " + rounds + " rounds, " + nanos);
      }
      Thread.onSpinWait();
    }
  }

  private static volatile long lastBeat;
  private static int fieldCount;
  private static final LongAdder ADDER = new LongAdder();

  private static void beat() {
    lastBeat = System.nanoTime();
    ADDER.increment();
  }

  private static void work() {
    lastBeat = System.nanoTime();
    fieldCount = Long.hashCode(lastBeat);
  }

  static void beats() {
    while (!ready) {
      fieldCount++;
      beat();
      Thread.onSpinWait();
    }
  }

  static void beatsUntilCountedDown(CountDownLatch stop) throws InterruptedException {
    while (!stop.await(1, TimeUnit.SECONDS)) {
      beat();
    }
  }

  static void triesAndBeats(ReentrantLock lock) throws InterruptedException {
    while (!lock.tryLock(1, TimeUnit.SECONDS)) {
      fieldCount++;
      beat();
    }
  }

  /** The count ends the loop. */
  static void triesUntilMany(ReentrantLock lock) throws InterruptedException {
    while (!lock.tryLock(1, TimeUnit.SECONDS) && fieldCount < 100) {
      fieldCount++;
    }
  }

  static void worksInHelper(ReentrantLock lock) throws InterruptedException {
    while (!lock.tryLock(1, TimeUnit.SECONDS)) {
      work();
    }
  }

  static void pollsAndBeats(BlockingQueue<String> queue) throws InterruptedException {
    String got = null;
    while (got == null) {
      got = queue.poll(1, TimeUnit.SECONDS);
      beat();
    }
    System.out.println(got);
  }

  static void pollsAndSleeps(BlockingQueue<String> queue) throws InterruptedException {
    String got = null;
    while (got == null) {
      got = queue.poll(1, TimeUnit.SECONDS);
      rests();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    System.out.println(got);
  }

  private static void rests() throws InterruptedException {
    Thread.sleep(100);
  }

  static int getsAndSleeps(Future<Integer> future) throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return future.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        Thread.sleep(100);
      }
    }
  }

  static int getsAndGoesOn(Future<Integer> future) throws InterruptedException, ExecutionException {
    int sum = 0;
    while (sum < 100) {
      try {
        sum += future.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        Thread.sleep(100);
      }
    }
    return sum;
  }

  static void pollsAndWorks(BlockingQueue<String> queue) throws InterruptedException {
    String got = null;
    while (got == null) {
      got = queue.poll(1, TimeUnit.SECONDS);
      restsAndWorks();
    }
    System.out.println(got);
  }

  private static void restsAndWorks() throws InterruptedException {
    rests();
    fieldCount = 2 * fieldCount;
  }

  static void awaitsParts(int parts) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(parts);
    done.countDown();
    while (!done.await(1, TimeUnit.SECONDS)) {
      System.out.println("not yet");
    }
  }

  static void awaitsTwo() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);
    done.await();
  }

  static void awaitsEnd() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    end.await();
  }

  static void acquiresOfEach(int parts) throws InterruptedException {
    Semaphore ended = new Semaphore(0);
    ended.acquire(parts);
  }

  static void acquiresOne() throws InterruptedException {
    Semaphore end = new Semaphore(0);
    end.acquire();
  }

  static void acquiresGiven(Semaphore given, int parts) throws InterruptedException {
    given.acquire(parts);
  }

  static int combines(CompletableFuture<Integer> other) {
    return CompletableFuture.supplyAsync(() -> 1).thenCombine(other, Integer::sum).join();
  }

  static int combinesLater(CompletableFuture<Integer> other) throws Exception {
    CompletableFuture<Integer> sum = other.thenCombine(other, Integer::sum).thenApply(n -> n + 1);
    System.out.println("waits");
    return sum.get();
  }

  static void joinsAll(CompletableFuture<?>... all) {
    CompletableFuture.allOf(all).join();
  }

  static void joinsEnd(CompletableFuture<?> given) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    end.join();
    given.thenRun(() -> System.out.println("ends")).join();
  }

  static void joinsEndOfStarted(CompletableFuture<Integer> end) {
    CompletableFuture.runAsync(() -> System.out.println("starts")).thenCompose(any -> end).join();
  }

  static void awaitsGiven(CountDownLatch given) throws InterruptedException {
    given.await();
  }

  static void triesAndSleepsLonger(ReentrantLock lock) throws InterruptedException {
    while (fieldCount < 5) {
      while (!lock.tryLock(1, TimeUnit.SECONDS)) {
        Thread.sleep(5);
      }
      Thread.sleep(6);
    }
  }

  /** Another variable ends the loop, so that elements are taken and dropped in it. */
  static void pollsUntilOther(BlockingQueue<String> queue) throws InterruptedException {
    String stop = null;
    while (stop == null) {
      String got = queue.poll(1, TimeUnit.SECONDS);
      beat();
      stop = ready ? got : null;
    }
  }

  static void givesUp() {
    for (int i = 0; i < limit && !ready; i++) {
      Thread.onSpinWait();
    }
  }

  static void goesThrough(boolean[] done) throws InterruptedException {
    int next = 0;
    while (!done[next]) {
      Thread.sleep(50);
      next++;
    }
  }

  static FileLock locksFile(FileChannel file) throws IOException, InterruptedException {
    while (true) {
      try {
        FileLock lock = file.tryLock();
        if (lock != null) {
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // This program has it.
      }
      Thread.sleep(1);
    }
  }

  static int pollsForAnswer(BlockingQueue<Integer> answers) throws InterruptedException {
    Integer answer;
    while ((answer = answers.poll(1, TimeUnit.SECONDS)) == null) {
      System.out.println("no answer yet");
    }
    return answer;
  }

  static void pollsForEvents(BlockingQueue<Integer> events) throws InterruptedException {
    while (true) {
      if (events.poll(1, TimeUnit.SECONDS) != null) {
        System.out.println("an event");
      }
    }
  }

  static void works(BlockingQueue<Integer> jobs) throws InterruptedException {
    while (!ready) {
      Integer job;
      do {
        job = jobs.poll(1, TimeUnit.SECONDS);
      } while (job == null);
      result = job;
    }
  }

  static void takesAnswers(BlockingQueue<BlockingQueue<Integer>> requests)
      throws InterruptedException {
    while (!ready) {
      BlockingQueue<Integer> answer = new ArrayBlockingQueue<>(1);
      requests.put(answer);
      answer.take();
    }
  }

  static void takesMessages(BlockingQueue<BlockingQueue<Integer>> requests)
      throws InterruptedException {
    BlockingQueue<Integer> messages = new ArrayBlockingQueue<>(1);
    requests.put(messages);
    while (!ready) {
      messages.take();
    }
  }

  static void takesOthers(BlockingQueue<Integer> messages) throws InterruptedException {
    messages.take();
  }

  static void puts(Map<String, String> owners) throws InterruptedException {
    while (owners.putIfAbsent("key", "me") != null) {
      Thread.sleep(50);
    }
  }

  static void putsMore(Map<String, String> owners) throws InterruptedException {
    while (owners.putIfAbsent("key", "me") == null) {
      Thread.sleep(50);
    }
  }

  static void converts(StampedLock lock, long stamp) {
    long write;
    while ((write = lock.tryConvertToWriteLock(stamp)) == 0) {
      LockSupport.parkNanos(50);
    }
    lock.unlockWrite(write);
  }

  static int readsUntilValid(StampedLock lock, Map<String, Integer> prices)
      throws InterruptedException {
    while (true) {
      long stamp = lock.tryOptimisticRead();
      Integer price = prices.get("a");
      if (lock.validate(stamp)) {
        return price;
      }
      Thread.sleep(10);
    }
  }

  static void readsUntilThen(StampedLock lock, long until) throws InterruptedException {
    long stamp = lock.tryOptimisticRead();
    while (!lock.validate(stamp) && System.nanoTime() < until) {
      Thread.sleep(10);
      stamp = lock.tryOptimisticRead();
    }
  }

  static void readsThreeTimes(StampedLock lock) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      long stamp = lock.tryOptimisticRead();
      if (lock.validate(stamp)) {
        return;
      }
      Thread.sleep(10);
    }
  }

  static void readsAndAdds(StampedLock lock, int more) throws InterruptedException {
    int all = 0;
    while (all < 100) {
      long stamp = lock.tryOptimisticRead();
      all = all + more;
      if (lock.validate(stamp)) {
        return;
      }
      Thread.sleep(10);
    }
  }

  static void reads(StampedLock lock) {
    while (true) {
      long stamp = lock.tryOptimisticRead();
      if (!lock.validate(stamp)) {
        result = stamp;
      }
    }
  }

  static void waitsByHelper() {
    while (!ready) {
      pauses(50);
    }
  }

  static void pauses(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static void asksByQueue(BlockingQueue<Integer> questions, BlockingQueue<Integer> answers)
      throws InterruptedException {
    while (!ready) {
      questions.put(1);
      result = answers.take();
    }
  }

  static void answersByQueue(BlockingQueue<Integer> questions, BlockingQueue<Integer> answers)
      throws InterruptedException {
    while (!ready) {
      result = questions.take();
      answers.put((int) result);
    }
  }

  static void asksByStream(OutputStream out, InputStream in) throws IOException {
    while (!ready) {
      out.write(1);
      out.flush();
      result = in.read();
    }
  }

  static void greetsAndAnswers(OutputStream out, InputStream in) throws IOException {
    out.write(1);
    while (!ready) {
      result = in.read();
      out.write(2);
    }
  }

  static void readsAhead(OutputStream out, InputStream in) throws IOException {
    for (int next = in.read(); next >= 0; next = in.read()) {
      out.write(next);
    }
  }

  static void login(OutputStream out, BufferedReader in) throws IOException {
    result = in.read();
    out.write(1);
    out.flush();
    result = in.readLine().length();
  }

  static void greetsAndServes(OutputStream out, BufferedReader in) throws IOException {
    out.write(1);
    out.flush();
    while (!ready) {
      result = in.readLine().length();
    }
  }

  static void readsTwice(OutputStream out, BufferedReader in) throws IOException {
    out.write(1);
    result = in.read();
    result = in.readLine().length();
  }

  /** The broker that a library connects to. */
  static final class Broker {
    private int result;

    void sendTo(int queue) {
      result = queue;
    }

    int receive() {
      return result;
    }
  }

  static void asksByMessage(Broker broker) {
    while (!ready) {
      broker.sendTo(1);
      result = broker.receive();
    }
  }

  static int asksByMessageOnce(Broker broker) {
    broker.sendTo(1);
    return broker.receive();
  }

  static void answersMessages(Broker broker) {
    while (!ready) {
      int asked = broker.receive();
      broker.sendTo(asked);
    }
  }

  static void greetsAndReceives(Broker broker) {
    broker.sendTo(1);
    while (!ready) {
      result = broker.receive();
    }
  }

  static void asksByChannel(SocketChannel channel, ByteBuffer buffer) throws IOException {
    channel.write(buffer);
    result = channel.read(buffer);
    result = channel.read(buffer.clear());
  }

  static void subscribes(OutputStream out, InputStream in) throws IOException {
    while (!ready) {
      out.write(1);
      while (in.read() >= 0) {
        result = 0;
      }
    }
  }

  static void sets() {
    ready = true;
  }

  static void setsFlag() {
    OPEN_FLAG.set(true);
  }

  static void calls(MethodHandle handle) throws Throwable {
    handle.invokeExact();
  }

  private static List<CodeSites> find(String name) {
    String file = name.replaceFirst(".*\\.", "") + ".class";
    try (InputStream in = CodeSitesTest.class.getResourceAsStream(file)) {
      return List.of(CodeSites.read(in.readAllBytes(), new ClassRef(name, "app")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LoopTarget field(String name) {
    return new LoopTarget(LoopTarget.Kind.FIELD, NAME, name);
  }

  private static Set<LoopTarget> attempt(String type, String method) {
    return Set.of(new LoopTarget(LoopTarget.Kind.ATTEMPT, type, method));
  }

  private static boolean onAnyLine(IntPredicate line) {
    return IntStream.range(1, 900).anyMatch(line);
  }

  private boolean waitsBusily(String method) {
    return onAnyLine(line -> sites.busyWait(method, line, "", CodeSitesTest::find).isPresent());
  }

  @SuppressWarnings("unused") // Only its code is read.
  private static String priced(String name, Map<String, Function<String, String>> prices) {
    String trimmed = name.trim();
    synchronized (OPEN_FLAG) {
      Function<String, String> price = prices.get(trimmed);
      return price.apply(trimmed.strip());
    }
  }

  /** As in a runtime that jlink has stripped: the call of a lambda is one of an interface. */
  @Test
  void withoutLinesALambdaIsCalledThroughAnInterface() throws IOException {
    ClassWriter stripped = new ClassWriter(0);
    try (InputStream in = CodeSitesTest.class.getResourceAsStream("CodeSitesTest.class")) {
      new ClassReader(in.readAllBytes()).accept(stripped, ClassReader.SKIP_DEBUG);
    }
    CodeSites lineless = CodeSites.read(stripped.toByteArray(), new ClassRef(NAME, "app"));
    StackTraceElement priced = new StackTraceElement(NAME, "priced", null, -1);
    int first = bci(lineless, priced, "get");
    assertTrue(bci(lineless, priced, "trim") < first);
    assertEquals(first, bci(lineless, priced, "lambda$main$0"));
    assertTrue(first < bci(lineless, priced, "apply"));
  }

  private static int bci(CodeSites sites, StackTraceElement element, String callee) {
    return sites.find(element, new CodeSites.Doing.Calling(callee)).orElseThrow().bci();
  }

  @Test
  void aLoopThatDoesSomethingIsNoBusyWait() {
    assertFalse(waitsBusily("writesItself"));
    assertFalse(waitsBusily("callsOther"));
    assertFalse(waitsBusily("endless"));
    assertFalse(waitsBusily("polls"));
    assertFalse(waitsBusily("sets"));
    assertFalse(waitsBusily("refreshes"));
  }

  @Test
  void aLoopThatGivesUpItsTurnMayTryAnything() {
    assertFalse(waitsBusily("handsOver"));
    assertEquals(Set.of(new TurnLoop(Set.of(field("OPEN_FLAG")), true)), turns("handsOver"));
    assertEquals(Set.of(new TurnLoop(READY, false)), turns("waits"));
    assertEquals(Set.of(), turns("computesInTurns"));
    assertEquals(Set.of(), turns("callsOther"));
  }

  private Set<TurnLoop> turns(String method) {
    return IntStream.range(1, 900)
        .mapToObj(line -> sites.turnLoop(method, line))
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  @Test
  void aLoopThatOnlyReadsIsOneAndHasTheFields() {
    assertTrue(
        onAnyLine(
            line ->
                sites.busyWait("waits", line, "", CodeSitesTest::find).equals(Optional.of(READY))));
    assertTrue(waitsBusily("waitsForFlag"));
    assertFalse(sites.busyWait("waits", 1, "", CodeSitesTest::find).isPresent());
  }

  @Test
  void aLoopMayAskAGetterOrForAFile() {
    for (LoopTarget state :
        List.of(
            new LoopTarget(LoopTarget.Kind.STATE, "CodeSitesTest$Job", "isComplete"),
            new LoopTarget(LoopTarget.Kind.STATE, "Files", "exists"))) {
      String method = state.name().equals("exists") ? "waitsForFile" : "waitsForJob";
      assertTrue(
          onAnyLine(
              line ->
                  sites
                      .busyWait(method, line, "", CodeSitesTest::find)
                      .equals(Optional.of(Set.of(state)))));
    }
  }

  @Test
  void aMethodThatDoesMoreThanReadIsNoGetter() {
    assertFalse(waitsBusily("waitsForDeadline"));
    assertFalse(waitsBusily("waitsForSteps"));
    assertFalse(waitsBusily("waitsForSearch"));
  }

  @Test
  void aLoopThatOnlyTriesIsOneToo() {
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("tries", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("ReentrantLock", "tryLock")))));
    assertTrue(waitsBusily("triesFlag"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("awaits", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("CountDownLatch", "await")))));
  }

  /** Who logs or counts that it waits does nothing of its own in between. */
  @Test
  void aLoopThatCallsTheApplicationWorksInBetween() {
    assertFalse(onAnyLine(line -> sites.worksInLoop("awaits", line)));
    assertFalse(onAnyLine(line -> sites.worksInLoop("tells", line)));
    assertFalse(onAnyLine(line -> sites.worksInLoop("counts", line)));
    assertTrue(onAnyLine(line -> sites.worksInLoop("refreshes", line)));
  }

  @Test
  void aLoopThatOnlyAsksIsOneToo() {
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("asks", line, "", CodeSitesTest::find)
                    .equals(
                        Optional.of(Set.of(new LoopTarget(LoopTarget.Kind.QUERY, "Map", "get"))))));
    assertFalse(waitsBusily("computes"));
  }

  @Test
  void whoOnlyTellsThatItWaitsDoesNothingElse() {
    assertTrue(
        onAnyLine(
            line ->
                sites.busyWait("tells", line, "", CodeSitesTest::find).equals(Optional.of(READY))));
    assertTrue(waitsBusily("tellsOfTimeouts"));
    assertTrue(waitsBusily("awaitsElement"));
    assertFalse(waitsBusily("signals"));
  }

  /** What it does when it leaves the loop is no part of a round. */
  @Test
  void whoGivesWayAgainAndAgainWaitsBusily() {
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("takesTurns", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("ReentrantLock", "tryLock")))));
    assertFalse(waitsBusily("retries"));
  }

  @Test
  void aCountOfItsRoundsChangesNothingUnlessItEndsTheLoop() {
    assertTrue(waitsBusily("counts"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("countsRounds", line, "", CodeSitesTest::find)
                    .equals(Optional.of(READY))));
    assertFalse(waitsBusily("givesUp"));
  }

  /** A heart beat tells that a loop is alive, not that it gets anywhere. */
  @Test
  void whoOnlyBeatsBetweenAttemptsWaitsBusily() {
    assertTrue(waitsBusily("triesAndBeats"));
    assertTrue(waitsBusily("pollsAndBeats"));
    assertFalse(waitsBusily("triesUntilMany"));
    assertFalse(waitsBusily("worksInHelper"));
    assertFalse(waitsBusily("pollsUntilOther"));
  }

  @Test
  void whoSleepsBetweenAttemptsOnlyWaits() {
    assertTrue(waitsBusily("pollsAndSleeps"));
    assertFalse(waitsBusily("pollsAndWorks"));
    assertTrue(waitsBusily("getsAndSleeps"));
    assertFalse(waitsBusily("getsAndGoesOn"));
  }

  @Test
  void aLatchForMoreThanOnePartIsNoSignalToEnd() {
    assertTrue(onAnyLine(line -> sites.awaitsParts("awaitsParts", line)));
    assertTrue(onAnyLine(line -> sites.awaitsParts("awaitsTwo", line)));
    assertFalse(onAnyLine(line -> sites.awaitsParts("awaitsEnd", line)));
    assertFalse(onAnyLine(line -> sites.awaitsParts("awaitsGiven", line)));
    assertFalse(onAnyLine(line -> sites.awaitsParts("pollsAndSleeps", line)));
  }

  @Test
  void permitsOfSeveralPartsAreNoSignalToEnd() {
    assertTrue(onAnyLine(line -> sites.awaitsParts("acquiresOfEach", line)));
    assertFalse(onAnyLine(line -> sites.awaitsParts("acquiresOne", line)));
    assertFalse(onAnyLine(line -> sites.awaitsParts("acquiresGiven", line)));
  }

  @Test
  void futuresOfTasksAndOfSeveralAreNoSignalToEnd() {
    assertTrue(onAnyLine(line -> sites.awaitsResults("combines", line)));
    assertTrue(onAnyLine(line -> sites.awaitsResults("combinesLater", line)));
    assertFalse(onAnyLine(line -> sites.awaitsResults("joinsAll", line)));
    assertTrue(onAnyLine(line -> sites.awaitsParts("joinsAll", line)));
    for (String end : List.of("joinsEnd", "joinsEndOfStarted")) {
      assertFalse(onAnyLine(line -> sites.awaitsResults(end, line)), end);
      assertFalse(onAnyLine(line -> sites.awaitsParts(end, line)), end);
    }
  }

  @Test
  void theInnermostLoopIsThatOfALine() {
    List<Integer> calls =
        IntStream.range(1, 900)
            .filter(line -> sites.isInLoop("triesAndSleepsLonger", line))
            .boxed()
            .toList();
    int tries = calls.get(1);
    assertTrue(sites.areInOneLoop("triesAndSleepsLonger", tries, tries + 1));
    assertFalse(sites.areInOneLoop("triesAndSleepsLonger", tries, tries + 3), "outer loop");
    assertFalse(sites.areInOneLoop("triesAndSleepsLonger", tries, 1), "elsewhere");
    assertFalse(sites.areInOneLoop("rests", 1, 1));
  }

  /** It may be the heart beat of a service. */
  @Test
  void whoOnlyBeatsUntilToldToEndDoesNotWait() {
    assertFalse(waitsBusily("beats"));
    assertFalse(waitsBusily("beatsUntilCountedDown"));
  }

  @Test
  void whoGoesThroughAnArrayByItsCountWorks() {
    assertFalse(waitsBusily("goesThrough"));
  }

  @Test
  void whoTriesToLockAFileWaitsBusily() {
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("locksFile", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("FileChannel", "tryLock")))));
  }

  @Test
  void whoPollsUntilThereIsSomethingOnlyWaits() {
    Set<LoopTarget> poll = Set.of(new LoopTarget(LoopTarget.Kind.POLL, "BlockingQueue", "poll"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("pollsForAnswer", line, "", CodeSitesTest::find)
                    .equals(Optional.of(poll))));
    assertFalse(onAnyLine(line -> sites.isInLoops("pollsForAnswer", line)));
    assertTrue(onAnyLine(line -> sites.isInLoops("pollsForEvents", line)));
    assertTrue(onAnyLine(line -> sites.isInLoops("works", line)));
  }

  @Test
  void whoPutsAKeyOrTakesAStampWaitsUntilItCan() {
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("puts", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("Map", "putIfAbsent")))));
    assertFalse(waitsBusily("putsMore"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("converts", line, "", CodeSitesTest::find)
                    .equals(Optional.of(attempt("StampedLock", "tryConvertToWriteLock")))));
    assertFalse(waitsBusily("reads"));
  }

  @Test
  void aLoopMayReadUntilNoThreadHasWrittenMeanwhile() {
    assertFalse(waitsBusily("readsUntilThen"));
    assertFalse(waitsBusily("readsThreeTimes"));
    assertFalse(waitsBusily("readsAndAdds"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("readsUntilValid", line, "", CodeSitesTest::find)
                    .equals(
                        Optional.of(
                            Set.of(
                                new LoopTarget(LoopTarget.Kind.QUERY, "StampedLock", "validate"),
                                new LoopTarget(LoopTarget.Kind.QUERY, "Map", "get"))))));
  }

  @Test
  void aLoopMayPauseInAMethodThatDoesNothingElse() {
    String helper = NAME.replace('.', '/') + ".pauses";
    assertTrue(sites.onlyPauses("pauses"));
    assertFalse(sites.onlyPauses("waitsByHelper"));
    assertFalse(sites.onlyPauses("waits"), "it is the loop itself");
    assertFalse(sites.onlyPauses("sets"));
    assertFalse(sites.onlyPauses("restsAndWorks"));
    assertTrue(
        onAnyLine(
            line ->
                sites
                    .busyWait("waitsByHelper", line, helper, CodeSitesTest::find)
                    .equals(Optional.of(READY))));
  }

  @Test
  void whoPutsBeforeItTakesHasAskedForSomething() {
    assertTrue(onAnyLine(line -> sites.asksFirst("asksByQueue", line, Asking.EACH_TIME)));
    assertFalse(onAnyLine(line -> sites.asksFirst("answersByQueue", line, Asking.EACH_TIME)));
    assertFalse(onAnyLine(line -> sites.asksFirst("takesOthers", line, Asking.EACH_TIME)));
  }

  /** A server reads first; a subscriber reads on and on what it has asked for once. */
  @Test
  void whoWritesBeforeItReadsEachTimeHasAskedForSomething() {
    assertTrue(onAnyLine(line -> sites.asksFirst("asksByStream", line, Asking.EACH_TIME)));
    assertFalse(onAnyLine(line -> sites.asksFirst("greetsAndAnswers", line, Asking.EACH_TIME)));
    assertFalse(onAnyLine(line -> sites.asksFirst("readsAhead", line, Asking.EACH_TIME)));
    assertFalse(onAnyLine(line -> sites.asksFirst("subscribes", line, Asking.EACH_TIME)));
  }

  @Test
  void whoSendsAMessageBeforeItReceivesOneAwaitsTheReply() {
    assertFalse(onAnyLine(line -> sites.asksFirst("answersMessages", line, Asking.BY_MESSAGES)));
    assertFalse(onAnyLine(line -> sites.asksFirst("greetsAndReceives", line, Asking.BY_MESSAGES)));
    assertFalse(onAnyLine(line -> sites.asksFirst("asksByMessage", line, Asking.AS_CLIENT)));
    assertTrue(onAnyLine(line -> sites.asksFirst("asksByMessage", line, Asking.BY_MESSAGES)));
    assertTrue(onAnyLine(line -> sites.asksFirst("asksByMessageOnce", line, Asking.BY_MESSAGES)));
  }

  @Test
  void aChannelIsWrittenAndRead() {
    assertTrue(onAnyLine(line -> sites.asksFirst("asksByChannel", line, Asking.AS_CLIENT)));
    assertFalse(
        onAnyLine(
            line ->
                sites.asksFirst("asksByChannel", line, Asking.AS_CLIENT)
                    && sites.asksFirst("asksByChannel", line - 1, Asking.AS_CLIENT)),
        "more of the answer");
  }

  @Test
  void aClientThatWritesBeforeItReadsHasAskedForSomethingOnce() {
    assertFalse(onAnyLine(line -> sites.asksFirst("greetsAndServes", line, Asking.AS_CLIENT)));
    assertFalse(onAnyLine(line -> sites.asksFirst("readsAhead", line, Asking.AS_CLIENT)));
    assertTrue(onAnyLine(line -> sites.asksFirst("login", line, Asking.AS_CLIENT)));
    assertFalse(
        onAnyLine(line -> sites.asksFirst("login", line, Asking.EACH_TIME)), "who serves, too");
    assertTrue(onAnyLine(line -> sites.asksFirst("readsTwice", line, Asking.AS_CLIENT)));
    assertFalse(
        onAnyLine(
            line ->
                sites.asksFirst("readsTwice", line, Asking.AS_CLIENT)
                    && sites.asksFirst("readsTwice", line - 1, Asking.AS_CLIENT)),
        "what it reads then is more of the answer, or the next message");
  }

  @Test
  void whoMakesAQueueAndTakesFromItHasAskedForSomething() {
    assertTrue(onAnyLine(line -> sites.takesFromItsOwn("takesAnswers", line)));
    assertFalse(onAnyLine(line -> sites.takesFromItsOwn("takesMessages", line)));
    assertFalse(onAnyLine(line -> sites.takesFromItsOwn("takesOthers", line)));
  }

  @Test
  void whoGoesBackIsInALoop() {
    assertFalse(onAnyLine(line -> sites.isInLoop("sets", line)));
    assertFalse(onAnyLine(line -> sites.isInLoop("calls", line)));
    assertTrue(onAnyLine(line -> sites.isInLoop("polls", line)));
    assertTrue(onAnyLine(line -> sites.isInLoop("endless", line)));
    assertFalse(sites.isInLoop("endless", 1));
  }

  /** The calls of {@code counts} in them are on lines of their own. */
  @Test
  void whoDoesSomethingOnceComesToIt() {
    Set<String> calls = Set.of("java/util/concurrent/CountDownLatch.countDown");
    assertTrue(onAnyLine(line -> sites.comesTo("does", line, calls)));
    assertFalse(onAnyLine(line -> sites.comesTo("serves", line, calls)));
    assertFalse(onAnyLine(line -> sites.comesTo("does", line, Set.of(NAME + ".ready"))));
    assertFalse(onAnyLine(line -> sites.comesTo("counts", line, calls)));
  }

  @Test
  void whoWritesTheFieldIsFound() {
    assertTrue(sites.writes("sets", READY));
    assertTrue(sites.writes("setsFlag", Set.of(field("OPEN_FLAG"))));
    assertFalse(sites.writes("waits", READY));
    assertFalse(sites.writes("waitsForFlag", Set.of(field("OPEN_FLAG"))));
    assertFalse(sites.writes("setsFlag", OPEN));
  }

  @Test
  void aMethodHandleIsCalledWhereNoMethodOfThatNameIs() {
    assertTrue(onAnyLine(line -> sites.callsHandle(element("calls", line), "compare")));
    assertFalse(onAnyLine(line -> sites.callsHandle(element("calls", line), "invokeExact")));
    assertFalse(onAnyLine(line -> sites.callsHandle(element("callsOther", line), "compare")));
    assertEquals(NAME, sites.type().name());
  }

  private static StackTraceElement element(String method, int line) {
    return new StackTraceElement(NAME, method, "CodeSitesTest.java", line);
  }
}
