package io.github.vtdiag.agent.servers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BlockedEventLoopsTest {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(11);

  private static final class Loop extends Thread {
    private State state = State.WAITING;
    private int line = 1;
    private String inside = "app.Handler";
    private String loop = "io.netty.channel.nio.NioEventLoop";

    @Override
    public State getState() {
      return state;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      return new StackTraceElement[] {
        new StackTraceElement(inside, "read", "Handler.java", line),
        new StackTraceElement(loop, "run", "Any.java", 1)
      };
    }
  }

  private final BlockedEventLoops loops = new BlockedEventLoops();
  private final Loop loop = new Loop();

  private boolean isBlocked(int look) {
    return loops.among(List.of(loop), look * LOOK).contains(loop);
  }

  @Test
  void oneThatWaitsForEventsRuns() {
    loop.state = Thread.State.RUNNABLE;
    assertFalse(isBlocked(0));
    assertFalse(isBlocked(1));
  }

  @Test
  void oneThatWaitsForAMomentComesBack() {
    assertFalse(isBlocked(0));
    loop.state = Thread.State.RUNNABLE;
    assertFalse(isBlocked(1));
    loop.state = Thread.State.WAITING;
    assertFalse(isBlocked(2));
    loop.line++;
    assertFalse(isBlocked(3));
  }

  @Test
  void aLoopOfTasksWaitsForTasks() {
    loop.loop = "io.netty.channel.DefaultEventLoop";
    assertFalse(isBlocked(0));
    assertFalse(isBlocked(1));
  }

  @Test
  void oneThatWaitsAtOnePlaceIsBlocked() {
    assertFalse(isBlocked(0));
    assertTrue(isBlocked(1));
  }

  @Test
  void soIsOneOfNettyUnderAnotherName() {
    loop.loop = "io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoop";
    assertFalse(isBlocked(0));
    assertTrue(isBlocked(1));
  }
}
