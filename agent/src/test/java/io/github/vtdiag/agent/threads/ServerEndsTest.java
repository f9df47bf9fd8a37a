package io.github.vtdiag.agent.threads;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.waits.LongWait;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServerEndsTest {
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

  /** Like a channel of Netty. */
  private interface Channel {
    Promise closeFuture();

    Promise newPromise();
  }

  private interface Promise {
    void sync();
  }

  private final List<Thread> running = new ArrayList<>();
  private int ports;

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
            List.of());
    LoopTargets code = new LoopTargets(LoopTargetsTest.CLASSES);
    return new ServerEnds(code, () -> running, () -> ports).end(group, each -> {});
  }

  /** Returns the stack of a thread that waits in Netty, as called from this class. */
  private static StackTraceElement[] inNetty(boolean forEnd) {
    List<StackTraceElement> called = new ArrayList<>();
    Promise promise = () -> called.addAll(List.of(new Throwable().getStackTrace()));
    Channel channel =
        new Channel() {
          @Override
          public Promise closeFuture() {
            return promise;
          }

          @Override
          public Promise newPromise() {
            return promise;
          }
        };
    if (forEnd) {
      channel.closeFuture().sync();
    } else {
      channel.newPromise().sync();
    }
    return Stream.concat(
            Stream.of(
                frame("java.lang.Object.wait"),
                frame("io.netty.util.concurrent.DefaultPromise.await"),
                frame("io.netty.channel.DefaultChannelPromise.sync"),
                frame("io.netty.channel.DefaultChannelPromise.sync")),
            called.stream().skip(1)) // The first frame is the promise's own.
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
    assertFalse(ends(1, inNetty(true)));
    runs(EVENT_LOOP);
    assertFalse(ends(1, inNetty(true)));
  }

  @Test
  void aPortOfAnotherServerProvesNothing() {
    runs(SELECTOR);
    runs(ACCEPTOR);
    ports = 1;
    assertFalse(ends(1, inNetty(true)));
  }

  @Test
  void oneThreadWaitsForEachServer() {
    runs(EVENT_LOOP);
    ports = 1;
    assertTrue(ends(1, inNetty(true)));
    assertFalse(ends(2, inNetty(true)));
  }

  @Test
  void anEventLoopMayCallEpollItself() {
    runs(NATIVE_EVENT_LOOP);
    ports = 1;
    assertTrue(ends(1, inNetty(true)));
  }

  /** The same class and method wait for what has been written or connected. */
  @Test
  void aPromiseOfAnythingElseIsNotTheEndOfAServer() {
    runs(EVENT_LOOP);
    ports = 1;
    assertFalse(ends(1, inNetty(false)));
  }

  @Test
  void aServerWhoseConnectorsHaveStoppedServesNobody() {
    runs(SELECTOR);
    assertFalse(ends(1, inJetty()));
    runs(ACCEPTOR);
    assertTrue(ends(1, inJetty()));
  }

  @Test
  void anotherWaitInTheSameProgramIsNoneForItsEnd() {
    runs(ACCEPTOR);
    assertFalse(ends(1, PARK, frame("org.eclipse.jetty.util.thread.QueuedThreadPool.join"), APP));
  }

  private static StackTraceElement[] joining(Runnable join) throws InterruptedException {
    Thread thread = Thread.ofVirtual().start(join);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(5);
    }
    StackTraceElement[] stack = thread.getStackTrace();
    thread.interrupt();
    return stack;
  }

  private static void joinItself() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void joinItselfUnknowingly() {
    join(Thread.currentThread());
  }

  @Test
  void onlyWhoJoinsItselfOnPurposeWaitsForTheEndOfTheProgram() throws InterruptedException {
    assertFalse(ends(1, joining(ServerEndsTest::joinItselfUnknowingly)));
    assertTrue(ends(1, joining(ServerEndsTest::joinItself)));
  }
}
