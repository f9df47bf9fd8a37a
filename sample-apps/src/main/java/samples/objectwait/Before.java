package samples.objectwait;

import java.io.IOException;
import java.util.ArrayList;
import samples.Load;
import samples.SlowService;

/**
 * A caller waits with {@code Object.wait} until the reader of its connection delivers the reply.
 */
public final class Before {
  /** An answer that has yet to come. */
  static final class Reply {
    private String text;

    synchronized void deliver(String text) {
      this.text = text;
      notifyAll();
    }

    synchronized String await() throws InterruptedException {
      while (text == null) {
        wait();
      }
      return text;
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
      System.out.println("before: " + load.measure(thread -> clients.get(thread).ask()));
    }
  }

  private Before() {}
}
