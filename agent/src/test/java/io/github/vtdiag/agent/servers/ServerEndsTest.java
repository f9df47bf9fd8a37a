package io.github.vtdiag.agent.servers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.ends.LoopTargetsTest;
import io.github.vtdiag.agent.ends.WaitGroup;
import io.github.vtdiag.waits.LongWait;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

class ServerEndsTest {
  /** gRPC has one list of its servers, and tests run at the same time. */
  private static final String GRPC = "gRPC's list";

  private static final StackTraceElement PARK = frame("jdk.internal.misc.Unsafe.park");
  private static final StackTraceElement APP = frame("app.Main.run");

  private static final StackTraceElement[] EVENT_LOOP = {
    frame("sun.nio.ch.EPoll.wait"),
    frame("sun.nio.ch.EPollSelectorImpl.doSelect"),
    frame("sun.nio.ch.SelectorImpl.select"),
    frame("io.netty.channel.nio.NioIoHandler.select"),
    frame("java.lang.Thread.run")
  };

  private static final StackTraceElement[] NATIVE_EVENT_LOOP = {
    frame("io.netty.channel.epoll.Native.epollWait0"),
    frame("io.netty.channel.epoll.EpollIoHandler.run"),
    frame("java.lang.Thread.run")
  };

  private static final StackTraceElement[] ACCEPTOR = {
    frame("sun.nio.ch.Net.accept"),
    frame("sun.nio.ch.ServerSocketChannelImpl.accept"),
    frame("org.eclipse.jetty.server.ServerConnector.accept"),
    frame("java.lang.Thread.run")
  };

  /** Jetty waits so for requests on its connections. */
  private static final StackTraceElement[] SELECTOR = {
    frame("sun.nio.ch.EPollSelectorImpl.doSelect"),
    frame("sun.nio.ch.SelectorImpl.select"),
    frame("org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select"),
    frame("java.lang.Thread.run")
  };

  /** Like a server of Reactor Netty. */
  private interface Server {
    Mono onDispose();

    Mono onStop();
  }

  private interface Mono {
    void block();
  }

  /** Like the pool of a Jetty server. */
  private static final class Pool {
    private final Lock _joinLock = new Lock();
  }

  private static final class Lock {
    private final Object _condition = new Object();
  }

  private record Runner(Pool this$0) {}

  /** Like gRPC's list of its servers. */
  private static final class Grpc {
    private static final Grpc INSTANCE = new Grpc();

    private final Map<Long, GrpcServer> servers = new HashMap<>();
  }

  private record GrpcServer(
      Object lock, boolean started, boolean shutdown, Transport transportServer) {}

  private record Transport(Channels channelGroup) {}

  private record Channels(Map<String, Channel> serverChannels) {}

  private record Channel(InetSocketAddress local, EventLoop eventLoop) {}

  private record EventLoop(Thread thread) {}

  private final List<Thread> running = new ArrayList<>();
  private final Map<Thread, Object> tasks = new HashMap<>();
  private final List<Object> waitedFor = new ArrayList<>();
  private Set<Integer> ports = Set.of();
  private List<Class<?>> grpc = List.of();

  private static StackTraceElement frame(String method) {
    int dot = method.lastIndexOf('.');
    return new StackTraceElement(method.substring(0, dot), method.substring(dot + 1), "Any", 1);
  }

  /** Adds a thread that is there. */
  private void runs(StackTraceElement... stack) {
    running.add(
        new Thread() {
          @Override
          public StackTraceElement[] getStackTrace() {
            return stack;
          }
        });
  }

  /** Adds a thread that accepts connections for that pool. */
  private void accepts(Pool pool) {
    runs(ACCEPTOR);
    tasks.put(running.getLast(), new Runner(pool));
  }

  private boolean ends(int threads, StackTraceElement... stack) {
    WaitGroup group =
        new WaitGroup(
            List.of(stack),
            Thread.State.WAITING,
            "",
            0,
            threads,
            0,
            false,
            TimeUnit.SECONDS.toNanos(40),
            false,
            LongWait.Wakers.NONE,
            waitedFor.stream().map(object -> Thread.ofVirtual().unstarted(() -> {})).toList());
    LoopTargets code = new LoopTargets(LoopTargetsTest.CLASSES);
    return new ServerEnds(
            code,
            () -> running,
            () -> ports,
            thread -> Optional.of(waitedFor.get(group.members().indexOf(thread))),
            tasks::get,
            name -> name.equals("io.grpc.InternalChannelz") ? grpc : List.of())
        .end(group, each -> {});
  }

  /** Returns the stack of a thread that waits in Reactor, as called from this class. */
  private static StackTraceElement[] inReactor(boolean forEnd) {
    List<StackTraceElement> called = new ArrayList<>();
    Mono mono = () -> called.addAll(List.of(new Throwable().getStackTrace()));
    Server server =
        new Server() {
          @Override
          public Mono onDispose() {
            return mono;
          }

          @Override
          public Mono onStop() {
            return mono;
          }
        };
    if (forEnd) {
      server.onDispose().block();
    } else {
      server.onStop().block();
    }
    return Stream.concat(
            Stream.of(
                PARK,
                frame("reactor.core.publisher.BlockingMonoSubscriber.blockingGet"),
                frame("reactor.core.publisher.Mono.block")),
            called.stream().skip(1)) // The first frame is that of what stands for the Mono.
        .toArray(StackTraceElement[]::new);
  }

  private static StackTraceElement[] inJetty() {
    return new StackTraceElement[] {
      PARK,
      frame("org.eclipse.jetty.util.thread.QueuedThreadPool.join"),
      frame("org.eclipse.jetty.server.Server.join"),
      APP
    };
  }

  @Test
  void aChannelThatIsBoundToNoPortHasFailed() {
    assertFalse(ends(1, inReactor(true)));
    runs(EVENT_LOOP);
    assertFalse(ends(1, inReactor(true)));
  }

  @Test
  void aPortOfAnotherServerProvesNothing() {
    runs(SELECTOR);
    runs(ACCEPTOR);
    ports = Set.of(8080);
    assertFalse(ends(1, inReactor(true)));
  }

  @Test
  void oneThreadWaitsForEachServer() {
    runs(EVENT_LOOP);
    ports = Set.of(8080);
    assertTrue(ends(1, inReactor(true)));
    assertFalse(ends(2, inReactor(true)));
  }

  @Test
  void anEventLoopMayCallEpollItself() {
    runs(NATIVE_EVENT_LOOP);
    ports = Set.of(8080);
    assertTrue(ends(1, inReactor(true)));
  }

  /** The same class and method wait for what has been written or connected. */
  @Test
  void aPromiseOfAnythingElseIsNotTheEndOfAServer() {
    runs(EVENT_LOOP);
    ports = Set.of(8080);
    assertFalse(ends(1, inReactor(false)));
  }

  @Test
  void aServerWhoseConnectorsHaveStoppedServesNobody() {
    Pool pool = new Pool();
    waitedFor.add(pool._joinLock._condition);
    runs(SELECTOR);
    assertFalse(ends(1, inJetty()));
    accepts(pool);
    assertTrue(ends(1, inJetty()));
  }

  @Test
  void theAcceptorsOfAnotherServerProveNothing() {
    waitedFor.add(new Pool()._joinLock._condition);
    accepts(new Pool());
    accepts(new Pool());
    assertFalse(ends(1, inJetty()));
  }

  private static StackTraceElement[] inGrpc() {
    return new StackTraceElement[] {
      frame("java.lang.Object.wait0"),
      frame("java.lang.Object.wait"),
      frame("io.grpc.internal.ServerImpl.awaitTermination"),
      APP
    };
  }

  /** Returns whether a thread waits for the end of a gRPC server that runs. */
  private boolean endsGrpc(boolean started, boolean shutdown, Transport transport) {
    Object lock = new Object();
    grpc = List.of(Grpc.class);
    waitedFor.clear();
    waitedFor.add(lock);
    Grpc.INSTANCE.servers.clear();
    Grpc.INSTANCE.servers.put(1L, new GrpcServer(new Object(), true, false, null));
    Grpc.INSTANCE.servers.put(2L, new GrpcServer(lock, started, shutdown, transport));
    return ends(1, inGrpc());
  }

  private Transport transport(int port) {
    EventLoop loop = new EventLoop(running.getLast());
    Channel channel =
        new Channel(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), loop);
    return new Transport(new Channels(Map.of("1", channel)));
  }

  @Test
  @ResourceLock(GRPC)
  void aServerOfGrpcThatDoesNotRunServesNobodyBesideOneThatDoes() {
    runs(EVENT_LOOP);
    ports = Set.of(8080);
    assertFalse(endsGrpc(false, false, transport(8080)));
    assertFalse(endsGrpc(true, true, transport(8080)));
    assertFalse(endsGrpc(true, false, transport(9090)));
    assertFalse(endsGrpc(true, false, new Transport(new Channels(Map.of()))));
    assertTrue(endsGrpc(true, false, transport(8080)));
  }

  @Test
  @ResourceLock(GRPC)
  void aServerOfGrpcInTheSameProcessHasNoChannels() {
    assertFalse(endsGrpc(false, false, null));
    assertTrue(endsGrpc(true, false, null));
  }

  @Test
  @ResourceLock(GRPC)
  void anEventLoopOfGrpcThatIsStuckAcceptsNothing() {
    runs(PARK, APP);
    ports = Set.of(8080);
    assertFalse(endsGrpc(true, false, transport(8080)));
  }

  @Test
  void withoutTheListOfGrpcItsPortsAreCounted() {
    runs(EVENT_LOOP);
    ports = Set.of(8080);
    waitedFor.add(new Object());
    assertTrue(ends(1, inGrpc()));
    assertFalse(ends(2, inGrpc()));
  }

  @Test
  void manyThreadsMayWaitForOneServer() {
    Pool pool = new Pool();
    waitedFor.addAll(List.of(pool._joinLock, pool._joinLock._condition));
    accepts(pool);
    assertTrue(ends(2, inJetty()));
    waitedFor.set(0, pool);
    assertFalse(ends(2, inJetty()));
  }

  @Test
  void anotherWaitInTheSameProgramIsNoneForItsEnd() {
    runs(ACCEPTOR);
    assertFalse(ends(1, PARK, frame("org.eclipse.jetty.util.thread.QueuedThreadPool.join"), APP));
  }

  @Test
  void anEventLoopThatIsBusyComesBack() {
    AtomicReference<StackTraceElement[]> stack =
        new AtomicReference<>(new StackTraceElement[] {PARK, APP});
    Thread loop =
        new Thread() {
          @Override
          public StackTraceElement[] getStackTrace() {
            return stack.get();
          }
        };
    LoopTargets code = new LoopTargets(LoopTargetsTest.CLASSES);
    ServerEnds ends =
        new ServerEnds(
            code, List::of, Set::of, thread -> Optional.empty(), tasks::get, name -> List.of());
    assertFalse(ends.selectsOfLate(loop));
    stack.set(EVENT_LOOP);
    assertTrue(ends.selectsOfLate(loop));
    stack.set(new StackTraceElement[] {PARK, APP});
    assertTrue(ends.selectsOfLate(loop));
  }
}
