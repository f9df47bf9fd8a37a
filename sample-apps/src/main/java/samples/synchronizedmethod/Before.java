package samples.synchronizedmethod;

import java.io.IOException;
import java.util.ArrayList;
import samples.Load;
import samples.SlowService;

/** A client whose synchronized method waits for the answer of a server; one client per thread. */
public final class Before {
  static final class Client {
    private final SlowService.Connection connection;
    private int questions;

    Client(SlowService.Connection connection) {
      this.connection = connection;
    }

    synchronized String ask() throws IOException {
      return connection.ask("question " + questions++);
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
