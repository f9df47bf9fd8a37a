package samples.objectwait;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same with a condition of a lock. */
public final class After {
  /** An answer that has yet to come. */
  static final class Reply {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition delivered = lock.newCondition();
    private String text;

    void deliver(String text) {
      lock.lock();
      try {
        this.text = text;
        delivered.signalAll();
      } finally {
        lock.unlock();
      }
    }

    String await() throws InterruptedException {
      lock.lock();
      try {
        while (text == null) {
          delivered.await();
        }
        return text;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Questions go out from the caller's thread; a platform thread reads the answers. */
  static final class Client {
    private final SlowService.Connection connection;
    private volatile Reply pending;

    Client(SlowService.Connection connection) {
      this.connection = connection;
      Thread.ofPlatform().daemon().name("reader").start(this::read);
    }

    String ask() throws IOException, InterruptedException {
      var reply = new Reply();
      pending = reply;
      connection.send("question");
      return reply.await();
    }

    private void read() {
      try {
        while (true) {
          String text = connection.receive();
          pending.deliver(text);
        }
      } catch (IOException e) {
        // Closed: the program is over.
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    try (SlowService service = SlowService.start()) {
      var clients = new ArrayList<Client>();
      for (int i = 0; i < load.threads(); i++) {
        clients.add(new Client(service.connect()));
      }
      System.out.println("after: " + load.measure(thread -> clients.get(thread).ask()));
    }
  }

  private After() {}
}
