package samples.caffeineloader;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.Executors;
import samples.Load;
import samples.SlowService;

/** An asynchronous cache: it holds futures, and loads each user on a virtual thread of its own. */
public final class After {
  static final class Users {
    private final AsyncCache<String, String> users =
        Caffeine.newBuilder()
            .maximumSize(10_000)
            // By default the loads would go to the common pool, whose few threads they would block.
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .buildAsync();

    String user(String id) {
      return users.get(id, Users::load).join();
    }

    void forget(String id) {
      users.synchronous().invalidate(id);
    }

    private static String load(String id) {
      try {
        Thread.sleep(SlowService.DELAY); // stands for a query
        return "user " + id;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var users = new Users();
    System.out.println(
        "after: "
            + load.measure(
                thread -> {
                  String id = "id " + thread;
                  users.user(id);
                  users.forget(id); // users change: the next caller loads it again
                }));
  }

  private After() {}
}
