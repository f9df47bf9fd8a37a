package samples.deepstack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** The session's monitor has become a lock; the framework is untouched. */
public final class After {
  static final class Session {
    private final ReentrantLock lock = new ReentrantLock();
    private final Chain chain;
    private int requests;

    Session(SlowService.Connection connection) {
      this.chain = Chain.around(connection::ask);
    }

    String handle() throws IOException {
      lock.lock();
      try {
        return chain.proceed("request " + requests++);
      } finally {
        lock.unlock();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    try (SlowService service = SlowService.start()) {
      var sessions = new ArrayList<Session>();
      for (int i = 0; i < load.threads(); i++) {
        sessions.add(new Session(service.connect()));
      }
      System.out.println("after: " + load.measure(thread -> sessions.get(thread).handle()));
    }
  }

  private After() {}
}
