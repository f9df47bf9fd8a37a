import java.lang.reflect.Proxy;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;

/** Pools of queues whose objects are wrapped before they are lent, and what looks like them. */
final class Lent {
  private static final int SIZE = 3;
  private static final int CLIENTS = 6;

  private Lent() {}

  interface Session extends AutoCloseable {
    @Override
    void close();
  }

  /** Gives away wrappers that put the object back when they are closed. */
  static final class Leases {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();

    Leases(int size) {
      for (int i = 0; i < size; i++) {
        free.add(new StringBuilder());
      }
    }

    Lease one() throws InterruptedException {
      return new Lease(this, free.take());
    }

    record Lease(Leases of, StringBuilder text) implements AutoCloseable {
      @Override
      public void close() {
        of.free.add(text);
      }
    }
  }

  /** Now and then a lease is not closed. Other threads go on. */
  @Programs.StandsStill("LinkedBlockingQueue|Lent$Leases.one")
  static void leasesNotClosed() {
    Asked.service();
    Leases leases = new Leases(SIZE);
    Programs.repeat(
        CLIENTS,
        () -> {
          Leases.Lease lease = leases.one();
          Programs.sleep(0.3);
          if (Math.random() < 0.2) {
            return;
          }
          lease.close();
        });
  }

  /** Six clients close each lease after nine seconds. */
  @Programs.Healthy
  static void longLeases() {
    Asked.service();
    Leases leases = new Leases(SIZE);
    Programs.repeat(
        CLIENTS,
        () -> {
          try (Leases.Lease lease = leases.one()) {
            Programs.sleep(9);
            lease.text().setLength(0);
          }
        });
  }

  /** A session that fails is not closed, and is a proxy. Other threads go on. */
  @Programs.StandsStill("ArrayBlockingQueue|Lent$Sessions.open")
  static void proxiesNotClosed() {
    Asked.service();
    ArrayBlockingQueue<StringBuilder> idle = new ArrayBlockingQueue<>(SIZE);
    Sessions sessions = new Sessions(idle);
    Programs.repeat(
        CLIENTS,
        () -> {
          Session session = sessions.open();
          Programs.sleep(0.3);
          if (Math.random() < 0.2) {
            return;
          }
          session.close();
        });
  }

  /** Gives away proxies, as pools of connections do. */
  static final class Sessions {
    private final BlockingQueue<StringBuilder> idle;

    Sessions(BlockingQueue<StringBuilder> idle) {
      this.idle = idle;
      for (int i = 0; i < SIZE; i++) {
        idle.add(new StringBuilder());
      }
    }

    Session open() throws InterruptedException {
      StringBuilder text = idle.take();
      return (Session)
          Proxy.newProxyInstance(
              Session.class.getClassLoader(),
              new Class<?>[] {Session.class},
              (proxy, method, arguments) -> {
                idle.add(text);
                return null;
              });
    }
  }

  /** Takes back what it has wrapped, out of the wrapper. */
  static final class Handles {
    record Handle(StringBuilder text, long since) {}

    private final BlockingQueue<StringBuilder> rest = new LinkedBlockingDeque<>();

    Handles() {
      for (int i = 0; i < SIZE; i++) {
        rest.add(new StringBuilder());
      }
    }

    Handle next() throws InterruptedException {
      return new Handle(rest.take(), System.nanoTime());
    }

    void back(Handle handle) {
      rest.add(handle.text());
    }
  }

  /** Handles are not given back now and then. Other threads go on. */
  @Programs.StandsStill("LinkedBlockingDeque|Lent$Handles.next")
  static void handlesNotGivenBack() {
    Asked.service();
    Handles handles = new Handles();
    Programs.repeat(
        CLIENTS,
        () -> {
          Handles.Handle handle = handles.next();
          Programs.sleep(0.3);
          if (Math.random() < 0.2) {
            return;
          }
          handles.back(handle);
        });
  }

  /** Workers wrap messages, and put back some of them; new requests bring one every 14 s. */
  @Programs.Healthy
  static void deliveriesRetried() {
    Asked.service();
    Leases messages = new Leases(0);
    Programs.repeat(
        CLIENTS,
        () -> {
          Leases.Lease message = messages.one();
          Programs.sleep(0.1);
          if (Math.random() < 0.5) {
            message.close();
          }
        });
    Programs.repeat(
        1,
        () -> {
          Programs.start(() -> messages.free.add(new StringBuilder()));
          Programs.sleep(14);
        });
  }
}
