package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JoinedThreadsTest {
  private static final Thread ACCEPTS =
      thread(
          Thread.State.RUNNABLE,
          "sun.nio.ch.Net.accept",
          "sun.nio.ch.NioSocketImpl.accept",
          "java.net.ServerSocket.implAccept",
          "java.net.ServerSocket.accept",
          "com.acme.Server.run");

  private static final Thread WAITS =
      thread(
          Thread.State.WAITING,
          "jdk.internal.misc.Unsafe.park",
          "java.util.concurrent.locks.LockSupport.park",
          "java.util.concurrent.CountDownLatch.await",
          "com.acme.Part.run");

  private static final Thread EXITS =
      thread(
          Thread.State.WAITING,
          "java.lang.Object.wait0",
          "java.lang.Object.wait",
          "java.lang.Thread.join",
          "java.lang.ApplicationShutdownHooks.runHooks",
          "java.lang.ApplicationShutdownHooks$1.run",
          "java.lang.Shutdown.runHooks",
          "java.lang.Shutdown.exit",
          "java.lang.Runtime.exit",
          "java.lang.System.exit",
          "com.acme.Main.main");

  private static Thread thread(Thread.State state, String... methods) {
    return new Thread() {
      @Override
      public State getState() {
        return state;
      }

      @Override
      public StackTraceElement[] getStackTrace() {
        return Stream.of(methods)
            .map(
                method ->
                    new StackTraceElement(
                        method.substring(0, method.lastIndexOf('.')),
                        method.substring(method.lastIndexOf('.') + 1),
                        null,
                        -1))
            .toArray(StackTraceElement[]::new);
      }
    };
  }

  private static boolean serve(Thread... platform) {
    return new JoinedThreads(() -> List.of(platform)).serve();
  }

  @Test
  void oneThatWaitsForAnotherMayBeTheOneThatIsJoined() {
    assertFalse(serve(ACCEPTS, WAITS));
    assertFalse(serve(WAITS));
    assertFalse(serve());
  }

  @Test
  void oneThatAcceptsGoesOn() {
    assertTrue(serve(ACCEPTS));
  }

  @Test
  void theOneThatEndsTheProgramIsNotAsked() {
    assertTrue(serve(ACCEPTS, EXITS));
    assertFalse(serve(ACCEPTS, WAITS, EXITS));
    assertFalse(serve(EXITS));
  }
}
