import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.jgroups.JChannel;
import org.jgroups.blocks.locking.LockService;
import org.jgroups.protocols.CENTRAL_LOCK;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.protocols.SHARED_LOOPBACK_PING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;

/**
 * Locks of a cluster, which a library makes itself, beside a timer. On Java 21 the threads wait in
 * {@code Object.wait} and pin all carriers.
 */
final class Clusters {
  private Clusters() {}

  private static LockService join(String name) throws Exception {
    JChannel channel =
        new JChannel(
            new SHARED_LOOPBACK(),
            new SHARED_LOOPBACK_PING(),
            new NAKACK2(),
            new UNICAST3(),
            new STABLE(),
            new GMS(),
            new CENTRAL_LOCK());
    channel.name(name);
    channel.connect("stalls");
    return new LockService(channel);
  }

  /** Twenty threads of two members take turns, until one ends without giving the lock back. */
  @Programs.StandsStill(value = "LockImpl", java = 25)
  static void memberKeepsTheLock() throws Exception {
    Asked.service();
    Lock first = join("first").getLock("orders");
    Lock second = join("second").getLock("orders");
    AtomicBoolean lost = new AtomicBoolean();
    Programs.start(
        1,
        () -> {
          Programs.sleep(5);
          lost.set(true);
        });
    for (Lock lock : new Lock[] {first, second}) {
      Programs.repeat(
          10,
          () -> {
            lock.lock();
            Programs.sleep(0.005);
            if (!lost.get()) {
              lock.unlock();
            }
            Programs.sleep(0.01);
          });
    }
  }

  /** Each of them keeps the lock for a second. */
  @Programs.Healthy(java = 25)
  static void membersTakeTurns() throws Exception {
    Asked.service();
    Lock lock = join("only").getLock("orders");
    Programs.repeat(
        8,
        () -> {
          lock.lock();
          try {
            Programs.sleep(1);
          } finally {
            lock.unlock();
          }
        });
  }
}
