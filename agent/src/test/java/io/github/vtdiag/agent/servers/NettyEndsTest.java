package io.github.vtdiag.agent.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.CasesRun;
import io.github.vtdiag.testing.Jdk;
import io.github.vtdiag.waits.KnownServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The classes here stand for those of Netty and of a library that is built on it. */
@SuppressWarnings({"UnusedVariable", "ArrayRecordComponent"}) // Fields are read by reflection.
class NettyEndsTest {
  @TempDir Path folder;

  private static final int PORT = 8080;

  private static final KnownServers.Channel FIELDS =
      new KnownServers.Channel(
          "channel",
          "closeFuture",
          Accepting.class.getName(),
          List.of("ch", "local"),
          List.of("eventLoop", "thread"));

  private interface Accepting {}

  private record Task(Inner runnable) {}

  private record Inner(Loop val$eventExecutor) {}

  private static final class Loop {
    private final Channels channels = new Channels();
    private final Thread thread;

    Loop(Thread thread) {
      this.thread = thread;
    }
  }

  private static final class Channels {
    private Object[] values = {};
  }

  private static class Connection {
    final Close closeFuture = new Close();
    final Pipeline pipeline = new Pipeline();
    final InetSocketAddress local;
    final Loop eventLoop;

    Connection(Loop eventLoop, int port) {
      this.eventLoop = eventLoop;
      this.local = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
  }

  private static final class Listener extends Connection implements Accepting {
    Listener(Loop loop, int port) {
      super(loop, port);
    }
  }

  private static final class Close {
    private Object listener;
    private Listeners listeners;
  }

  private record Listeners(Object[] listeners) {}

  private static final class Pipeline {
    private Context head;
  }

  private record Context(Object handler, Context next) {}

  private record Acceptor(WrappedEventLoopGroup childGroup, Object childHandler) {}

  private record WrappedEventLoopGroup(OneEventLoopGroup group) {}

  private record OneEventLoopGroup(Object[] children) {}

  private record Server(CompletableFuture<Void> closed) {}

  private record Configurator(Server server) {}

  private final List<Thread> threads = new ArrayList<>();
  private final Map<Thread, Object> tasks = new HashMap<>();

  /** Starts an event loop, which waits in a handler if it is blocked. */
  private Loop loop(boolean blocked) {
    Thread thread =
        new Thread() {
          @Override
          public State getState() {
            return blocked ? State.WAITING : State.RUNNABLE;
          }

          @Override
          public StackTraceElement[] getStackTrace() {
            return new StackTraceElement[] {
              new StackTraceElement("io.netty.channel.nio.NioEventLoop", "run", "Any.java", 1)
            };
          }
        };
    Loop loop = new Loop(thread);
    threads.add(thread);
    tasks.put(thread, new Task(new Inner(loop)));
    return loop;
  }

  private static Listener listens(Loop loop, Loop serving, Object childHandler) {
    Listener channel = new Listener(loop, PORT);
    loop.channels.values = new Object[] {null, new Connection(loop, PORT), channel};
    WrappedEventLoopGroup group =
        new WrappedEventLoopGroup(new OneEventLoopGroup(new Object[] {serving}));
    channel.pipeline.head =
        new Context(new Object(), new Context(new Acceptor(group, childHandler), null));
    return channel;
  }

  private NettyEnds ends() {
    return new NettyEnds(FIELDS, () -> threads, tasks::get, () -> Set.of(PORT), thread -> true);
  }

  private static KnownServers.Server server(String receiver) {
    return new KnownServers.Server(
        NettyEndsTest.class.getName(),
        Set.of("await"),
        receiver,
        Set.of("io.netty."),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** Returns what a thread is parked for that does this. */
  private static Object blocker(Runnable wait) throws InterruptedException {
    Thread thread = new Thread(wait);
    thread.setDaemon(true);
    thread.start();
    while (LockSupport.getBlocker(thread) == null) {
      Thread.sleep(1);
    }
    return LockSupport.getBlocker(thread);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withoutAnEventLoopNothingIsKnown() {
    assertEquals(Optional.empty(), ends().ends(server("")));
  }

  @Test
  void anEventLoopOfAnotherKindMayAccept() {
    listens(loop(false), loop(false), null);
    tasks.put(threads.getLast(), new Object());
    assertEquals(Optional.empty(), ends().ends(server("")));
  }

  @ParameterizedTest
  @EnumSource
  void itsOwnReferencesShowWhichServerThatIs(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "another server: false",
            // A handler may refer to anything else that threads wait for.
            "a handler's server, for which its own method does not wait: false",
            "an object of the application: false",
            "a handler's server, one event loop of which is blocked: false",
            "a handler's server: true",
            "a handler's server, beside a client that is blocked: true",
            "a listener: true",
            "one of two listeners: true"),
        CasesRun.lines(jdk, folder, Cases.class));
  }

  /** Prints of several objects whether a thread that waits for them waits for a server's end. */
  static final class Cases {
    private final NettyEndsTest netty = new NettyEndsTest();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch one = new CountDownLatch(1);
    private final CountDownLatch two = new CountDownLatch(1);

    public static void main(String[] args) throws InterruptedException {
      Object other = blocker(new CompletableFuture<Void>()::join);
      print("another server", new Cases().ends("", other));
      Cases cases = new Cases();
      Object closing = blocker(cases.closed::join);
      print(
          "a handler's server, for which its own method does not wait",
          cases.ends("onDispose", closing));
      print("an object of the application", cases.endsByApplication());
      print("a handler's server, one event loop of which is blocked", new Cases().isServed(true));
      print("a handler's server", cases.ends("", closing));
      print("a handler's server, beside a client that is blocked", new Cases().isServed(false));
      Cases listening = new Cases();
      Object ofOne = blocker(() -> await(listening.one));
      Object ofTwo = blocker(() -> await(listening.two));
      print("a listener", listening.ends("onDispose", ofOne));
      print("one of two listeners", listening.ends("onDispose", ofTwo));
      System.exit(0);
    }

    private static void print(String what, boolean ends) {
      System.out.println(what + ": " + ends);
    }

    private Listener listens(Loop serving) {
      Listener channel =
          NettyEndsTest.listens(netty.loop(false), serving, new Configurator(new Server(closed)));
      channel.closeFuture.listener = one;
      channel.closeFuture.listeners = new Listeners(new Object[] {two, null});
      return channel;
    }

    private boolean ends(String receiver, Object blocker) {
      listens(netty.loop(false));
      return netty.ends().ends(server(receiver)).orElseThrow().contains(blocker);
    }

    private boolean endsByApplication() throws InterruptedException {
      Object blocker = blocker(closed::join);
      listens(netty.loop(false)).closeFuture.listener = new Server(closed);
      return netty.ends().ends(server("onDispose")).orElseThrow().contains(blocker);
    }

    /** Returns whether a server is one that accepts, if its event loop or another is blocked. */
    private boolean isServed(boolean own) throws InterruptedException {
      Object blocker = blocker(closed::join);
      Loop serving = netty.loop(own);
      listens(serving);
      if (!own) {
        netty.loop(true);
      }
      NettyEnds ends = netty.ends();
      ends.look(0);
      return ends.look(TimeUnit.SECONDS.toNanos(11)).orElseThrow().size() == 1
          && ends.ends(server("")).orElseThrow().contains(blocker);
    }
  }

  @Test
  void theEventLoopsOfTheServerAreThoseThatServeIt() {
    Loop accepting = loop(false);
    Loop serving = loop(true);
    loop(true);
    Listener channel = listens(accepting, serving, null);
    assertEquals(Set.of(accepting.thread, serving.thread), NettyChannels.threads(channel));
  }
}
