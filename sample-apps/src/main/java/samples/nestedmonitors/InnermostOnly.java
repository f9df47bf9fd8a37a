package samples.nestedmonitors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.locks.ReentrantLock;
import samples.Load;
import samples.SlowService;

/** Only the innermost monitor has become a lock: nothing is gained. */
public final class InnermostOnly {
  /** The outermost: a session runs one statement at a time. */
  static final class Session {
    private final Statement statement;

    Session(Statement statement) {
      this.statement = statement;
    }

    synchronized String query(String text) throws IOException {
      return statement.execute(text);
    }
  }

  /** In the middle: a statement guards its state. */
  static final class Statement {
    private final Object lock = new Object();
    private final Channel channel;
    private int executions;

    Statement(Channel channel) {
      this.channel = channel;
    }

    String execute(String text) throws IOException {
      synchronized (lock) {
        executions++;
        return channel.exchange(text + " " + executions);
      }
    }
  }

  /** The innermost: a channel keeps a question and its answer together. */
  static final class Channel {
    private final ReentrantLock lock = new ReentrantLock();
    private final SlowService.Connection connection;

    Channel(SlowService.Connection connection) {
      this.connection = connection;
    }

    String exchange(String question) throws IOException {
      lock.lock();
      try {
        connection.send(question);
        return connection.receive();
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
        sessions.add(new Session(new Statement(new Channel(service.connect()))));
      }
      System.out.println(
          "innermost only: " + load.measure(thread -> sessions.get(thread).query("select")));
    }
  }

  private InnermostOnly() {}
}
