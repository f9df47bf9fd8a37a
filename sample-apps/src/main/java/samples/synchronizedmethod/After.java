package samples.synchronizedmethod;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The same client with a lock: a virtual thread that waits inside it unmounts from its carrier. */
public final class After {
  static final class Client {
    private final ReentrantLock lock = new ReentrantLock();
    private final SlowService.Connection connection;
    private int questions;

    Client(SlowService.Connection connection) {
      this.connection = connection;
    }

    String ask() throws IOException {
      lock.lock();
      try {
        return connection.ask("question " + questions++);
      } finally {
        lock.unlock();
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
