package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.testing.MadeFrames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisTakesTest {
  private static final String READ = "sun.nio.ch.NioSocketImpl.implRead";
  private static final String GET = "java.util.concurrent.CompletableFuture.timedGet";
  private static final String INSIDE = "redis.clients.jedis.Connection.getOne";
  private static final String AWAIT = "io.lettuce.core.internal.Futures.awaitOrCancel";
  private static final String APP = "app.Worker.run";

  private static Awaited of(Thread.State state, String... methods) {
    return KnownWaits.of(new StackTrace(MadeFrames.of(methods), false), state);
  }

  /** An answer to these is owed at once; and the application's own method may have such a name. */
  @ParameterizedTest
  @ValueSource(strings = {"redis.clients.jedis.Jedis.get", "redis.clients.jedis.Jedis.lpop"})
  void anotherCommandWaitsForItsAnswer(String command) {
    Awaited awaited = of(Thread.State.WAITING, READ, INSIDE, command, "app.Worker.blpop");
    assertEquals(Awaited.Kind.DATA, awaited.kind());
    Awaited proxy = of(Thread.State.TIMED_WAITING, GET, AWAIT, "jdk.proxy2.$Proxy9.get", APP);
    assertNotEquals(Awaited.Kind.IDLE, proxy.kind());
  }

  @Test
  void whatTheApplicationDoesInAListenerIsNoCommand() {
    Awaited awaited =
        of(
            Thread.State.WAITING,
            GET,
            "app.Listener.onMessage",
            "redis.clients.jedis.JedisPubSub.process",
            "redis.clients.jedis.Jedis.subscribe",
            APP);
    assertNotEquals(Awaited.Kind.IDLE, awaited.kind());
  }

  @Test
  void aCommandThatTakesWaitsForWork() {
    Awaited jedis = of(Thread.State.WAITING, READ, INSIDE, "redis.clients.jedis.Jedis.blpop", APP);
    assertEquals(Awaited.Kind.IDLE, jedis.kind());
    assertEquals("Redis blpop", jedis.subject());
    Awaited lettuce =
        of(
            Thread.State.TIMED_WAITING,
            GET,
            AWAIT,
            "io.lettuce.core.FutureSyncInvocationHandler.handleInvocation",
            "jdk.proxy2.$Proxy9.xreadgroup",
            APP);
    assertEquals(Awaited.Kind.IDLE, lettuce.kind());
  }
}
