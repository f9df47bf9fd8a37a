package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.AbstractIdleService;
import com.google.common.util.concurrent.AbstractService;
import com.google.common.util.concurrent.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class AwaitedObjectsTest {
  private static final class Idle extends AbstractIdleService {
    @Override
    protected void startUp() {}

    @Override
    protected void shutDown() {}
  }

  /** A service that never ends, once it is told to. */
  private static final class Stuck extends AbstractService {
    @Override
    protected void doStart() {
      notifyStarted();
    }

    @Override
    protected void doStop() {}
  }

  /** Returns whether a hook that stops one service ends the waits for the end of another. */
  private static boolean ends(Service stopped, Service awaited) throws InterruptedException {
    Runnable hook = () -> stopped.stopAsync();
    Thread waiting = Thread.ofVirtual().start(awaited::awaitTerminated);
    while (waiting.getState() != Thread.State.WAITING || LockSupport.getBlocker(waiting) == null) {
      Thread.sleep(5);
    }
    return new AwaitedObjects().from(List.of(hook)).contains(LockSupport.getBlocker(waiting));
  }

  @Test
  void aServiceThatNeverStartedHasNoEnd() throws InterruptedException {
    Service service = new Stuck();
    assertFalse(ends(service, service));
  }

  @Test
  void aServiceThatWasStoppedAndGoesOnIsStuck() throws InterruptedException {
    Service service = new Stuck();
    service.startAsync().awaitRunning();
    service.stopAsync();
    assertFalse(ends(service, service));
  }

  @Test
  void whoRefersToAServiceEndsNoOther() throws InterruptedException {
    Service service = new Idle();
    service.startAsync().awaitRunning();
    Service other = new Idle();
    other.startAsync().awaitRunning();
    assertFalse(ends(service, other));
  }

  @Test
  void whoRefersToARunningServiceMayEndIt() throws InterruptedException {
    Service service = new Idle();
    service.startAsync().awaitRunning();
    assertTrue(ends(service, service));
    Service stuck = new Stuck();
    stuck.startAsync().awaitRunning();
    assertTrue(ends(stuck, stuck));
  }

  private static final class Hook extends Thread {
    final Service service = new Idle();
  }

  /** The last sample may find the service stopped, and the JDK has no hooks any more. */
  @Test
  void whatHooksEndIsKnownWhenTheExitHasBegun() {
    Hook hook = new Hook();
    List<Thread> registered = new ArrayList<>();
    ShutdownHooks hooks = new ShutdownHooks(() -> registered);
    assertEquals(Set.of(), hooks.look());
    registered.add(hook);
    hook.service.startAsync().awaitRunning();
    Set<Object> ended = hooks.look();
    assertEquals(1, ended.size());
    registered.clear();
    hook.service.stopAsync().awaitTerminated();
    assertEquals(ended, hooks.look());
  }
}
