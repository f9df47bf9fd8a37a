import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Threads that wait for the end of a server, process or periodic task, or for one event, while
 * others go on.
 */
final class Endings {
  private static final List<Object> KEPT = new CopyOnWriteArrayList<>();

  private Endings() {}

  private static <T> T keep(T object) {
    KEPT.add(object);
    return object;
  }

  private static EventLoopGroup loops() {
    return keep(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()));
  }

  private static Channel server() throws InterruptedException {
    return keep(
        new ServerBootstrap()
            .group(loops())
            .channel(NioServerSocketChannel.class)
            .childHandler(new ChannelInboundHandlerAdapter())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel());
  }

  private static Channel client(Channel server) throws InterruptedException {
    return keep(
        new Bootstrap()
            .group(loops())
            .channel(NioSocketChannel.class)
            .handler(new ChannelInboundHandlerAdapter())
            .connect(server.localAddress())
            .sync()
            .channel());
  }

  /** A client of Netty waits until its connection is closed, beside a server that accepts. */
  @Programs.StandsStill("Object.wait")
  static void connectionOfNettyNeverCloses() {
    Asked.service();
    Programs.start(() -> client(server()).closeFuture().sync());
  }

  /** The same, while another thread waits for the end of the server. */
  @Programs.StandsStill("Object.wait")
  static void connectionNeverClosesBesideServersEnd() {
    Asked.service();
    Programs.start(
        () -> {
          Channel server = server();
          Programs.start(() -> client(server).closeFuture().sync());
          server.closeFuture().sync();
        });
  }

  /** Three threads wait for the ends of two servers of Netty. */
  @Programs.Healthy(java = 25)
  static void endsOfTwoNettyServers() {
    Asked.service();
    Programs.start(() -> server().closeFuture().sync());
    Programs.start(
        () -> {
          Channel server = server();
          Programs.start(() -> server.closeFuture().sync());
          ChannelFuture end = server.closeFuture();
          end.sync();
        });
  }

  private static Server jetty(int connectors) throws Exception {
    Server server = keep(new Server());
    for (int i = 0; i < connectors; i++) {
      server.addConnector(new ServerConnector(server));
    }
    server.start();
    return server;
  }

  /** One of two servers of Jetty has stopped to accept, and the other one has two ports. */
  @Programs.StandsStill("Condition")
  static void joinOfJettyWithoutConnector() {
    Asked.service();
    Programs.start(() -> jetty(2).join());
    Programs.start(
        () -> {
          Server server = jetty(1);
          for (Connector connector : server.getConnectors()) {
            connector.stop();
          }
          server.join();
        });
  }

  /** Two threads join two servers of Jetty. */
  @Programs.Healthy
  static void joinsOfTwoJetties() {
    Asked.service();
    Programs.start(() -> jetty(2).join());
    Programs.start(() -> jetty(1).join());
  }

  private static ServerSocket listen() throws IOException {
    return keep(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
  }

  /** Three clients have asked to be called back on a connection of its own, and nobody connects. */
  @Programs.StandsStill("server socket")
  static void nobodyCallsBack() {
    Asked.service();
    Programs.start(
        3,
        () -> {
          try (ServerSocket back = listen()) {
            keep(back.accept());
          }
        });
  }

  /** The same, and each time somebody does. */
  @Programs.Healthy
  static void callsBack() {
    Asked.service();
    Programs.repeat(
        3,
        () -> {
          try (ServerSocket back = listen()) {
            InetSocketAddress address = (InetSocketAddress) back.getLocalSocketAddress();
            Programs.start(
                () -> {
                  Programs.sleep(2);
                  new Socket(address.getAddress(), address.getPort()).close();
                });
            back.accept().close();
          }
        });
  }

  /** A thread waits for the first file in a folder. */
  @Programs.StandsStill("watch service")
  static void fileNeverComes() {
    Asked.service();
    Programs.start(
        () -> {
          Path folder = Files.createTempDirectory("none");
          folder.toFile().deleteOnExit();
          WatchService changes = keep(FileSystems.getDefault().newWatchService());
          folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
          changes.take();
        });
  }

  private static Process shell(String script) throws IOException {
    return keep(
        new ProcessBuilder("sh", "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  private static String orAfter(String ends) {
    return "i=0; while "
        + ends
        + " && [ $i -lt "
        + 10 * Programs.duration().toSeconds()
        + " ]; do ";
  }

  /** A child process looks again and again whether a file is there. */
  @Programs.StandsStill("Process")
  static void childLooksForFile() {
    Asked.service();
    Programs.start(
        () ->
            shell(orAfter("[ ! -e /nonexistent/file ]") + "i=$((i+1)); sleep 0.3; done").waitFor());
  }

  /** The same, awaited by its future. */
  @Programs.StandsStill("CompletableFuture")
  static void exitOfChildThatLooksForFile() {
    Asked.service();
    Programs.start(
        () ->
            shell(orAfter("[ ! -e /nonexistent/file ]") + "i=$((i+1)); sleep 0.3; done")
                .onExit()
                .join());
  }

  /** A child process computes. */
  @Programs.Healthy
  static void childComputes() {
    Asked.service();
    String part = "i=$((i+1)); head -c 5000000 /dev/zero | md5sum; sleep 0.2; done";
    Programs.start(() -> shell(orAfter("true") + part).waitFor());
  }

  private static void awaitPeriodic(Programs.Body task) {
    ScheduledExecutorService timer = keep(Executors.newScheduledThreadPool(1, Programs::daemon));
    var end = timer.scheduleAtFixedRate(() -> Programs.run(task), 0, 500, TimeUnit.MILLISECONDS);
    Programs.start(() -> end.get());
  }

  /** A periodic task, for whose end a thread waits, stands still itself. */
  @Programs.StandsStill("Future")
  static void endOfStuckPeriodicTask() {
    Asked.service();
    AtomicInteger rounds = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    awaitPeriodic(
        () -> {
          if (rounds.incrementAndGet() > 3) {
            never.await();
          }
        });
  }

  /** The same of one that goes on. */
  @Programs.Healthy
  static void endOfPeriodicTask() {
    Asked.service();
    AtomicInteger rounds = new AtomicInteger();
    awaitPeriodic(rounds::incrementAndGet);
  }

  private static void awaitOnPlatformThread(Programs.Body task) {
    ScheduledExecutorService timer = keep(Executors.newScheduledThreadPool(1, Programs::daemon));
    var end = timer.scheduleAtFixedRate(() -> Programs.run(task), 0, 500, TimeUnit.MILLISECONDS);
    Programs.startPlatform(() -> end.get());
  }

  /** A platform thread waits for the end of a periodic task, which stands still. */
  @Programs.StandsStill("Future")
  static void platformThreadAwaitsStuckPeriodicTask() {
    Asked.service();
    CountDownLatch never = new CountDownLatch(1);
    awaitOnPlatformThread(never::await);
  }

  /** The same, and each run of the task takes long. */
  @Programs.Healthy
  static void platformThreadAwaitsSlowPeriodicTask() {
    Asked.service();
    awaitOnPlatformThread(() -> Programs.sleep(60));
  }

  private static void ask(Selector selector) throws IOException {
    selector.select();
    selector.selectedKeys().clear();
  }

  /** A thread waits in a selector for one event, which never comes. */
  @Programs.StandsStill(value = "Selector", java = 25)
  static void selectsForOneEvent() throws IOException {
    Asked.service();
    Selector selector = keep(Selector.open());
    Programs.start(() -> ask(selector));
  }

  private static void fill(Selector selector) throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(8);
    while (answer.hasRemaining()) {
      ask(selector);
    }
  }

  /** A thread waits in a selector until an answer is whole, which never comes. */
  @Programs.StandsStill(value = "Selector", java = 25)
  static void selectsUntilAnswerIsWhole() throws IOException {
    Asked.service();
    Selector selector = keep(Selector.open());
    Programs.start(() -> fill(selector));
  }

  /** The same on a platform thread. */
  @Programs.StandsStill("Selector")
  static void platformThreadSelectsUntilAnswerIsWhole() throws IOException {
    Asked.service();
    Selector selector = keep(Selector.open());
    Programs.startPlatform(() -> fill(selector));
  }

  /** An event loop on a platform thread. */
  @Programs.Healthy
  static void platformThreadSelectsInLoop() throws IOException {
    Asked.service();
    Selector selector = keep(Selector.open());
    Programs.startPlatform(
        () -> {
          while (selector.isOpen()) {
            ask(selector);
          }
        });
  }

  /** An event loop waits for the next event. */
  @Programs.Healthy
  static void selectsInLoop() throws IOException {
    Asked.service();
    Selector selector = keep(Selector.open());
    Programs.repeat(1, () -> ask(selector));
  }

  private static void fullQueue(Programs.Body underLock) {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
    ReentrantLock lock = new ReentrantLock();
    Programs.repeat(
        1,
        () -> {
          queue.take();
          lock.lock();
          lock.unlock();
          Programs.sleep(0.01);
        });
    Programs.repeat(3, () -> queue.put(1));
    Programs.start(
        () -> {
          Programs.sleep(1);
          lock.lock();
          try {
            underLock.run();
          } finally {
            lock.unlock();
          }
        });
  }

  /** The consumer of a full queue needs a lock, whose owner waits for something to do. */
  @Programs.StandsStill("ArrayBlockingQueue|ReentrantLock")
  static void consumerNeedsLock() {
    Asked.service();
    BlockingQueue<Integer> nothing = new LinkedBlockingQueue<>();
    fullQueue(nothing::take);
  }

  /** The same, and the owner gives it back. */
  @Programs.Healthy
  static void consumerGetsLock() {
    Asked.service();
    fullQueue(() -> Programs.sleep(3));
  }

  private static void readers(boolean fail) {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    AtomicInteger rows = new AtomicInteger();
    Programs.repeat(
        1,
        () -> {
          Programs.sleep(0.1);
          try {
            lock.readLock().lock();
            if (rows.incrementAndGet() == 20 && fail) {
              throw new IllegalArgumentException("bad row");
            }
            lock.readLock().unlock();
            if (rows.get() >= 20) {
              Programs.sleep(0.3); // reads no more
            }
          } catch (IllegalArgumentException e) {
            Programs.repeat(1, () -> Programs.sleep(0.2));
            Programs.sleepForEver();
          }
        });
    Programs.repeat(
        2,
        () -> {
          lock.writeLock().lock();
          try {
            Programs.sleep(0.02);
          } finally {
            lock.writeLock().unlock();
          }
          Programs.sleep(0.1);
        });
  }

  /** A reader that fails keeps its read lock, and lives on. */
  @Programs.StandsStill("ReentrantReadWriteLock")
  static void readLockOfFailedReader() {
    Asked.service();
    readers(true);
  }

  /** The same without a failure. */
  @Programs.Healthy
  static void readLockGivenBack() {
    Asked.service();
    readers(false);
  }
}
