package samples.deepstack;

import java.io.IOException;
import java.util.ArrayList;
import samples.Load;
import samples.SlowService;

/** A session's synchronized method holds its monitor around 120 frames of framework. */
public final class Before {
  static final class Session {
    private final Chain chain;
    private int requests;

    Session(SlowService.Connection connection) {
      this.chain = Chain.around(connection::ask);
    }

    synchronized String handle() throws IOException {
      return chain.proceed("request " + requests++);
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    try (SlowService service = SlowService.start()) {
      var sessions = new ArrayList<Session>();
      for (int i = 0; i < load.threads(); i++) {
        sessions.add(new Session(service.connect()));
      }
      System.out.println("before: " + load.measure(thread -> sessions.get(thread).handle()));
    }
  }

  private Before() {}
}
