package samples.caffeineloader;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import samples.Load;
import samples.SlowService;

/** A Caffeine cache that loads a missing user inside {@code Cache.get}. */
public final class Before {
  static final class Users {
    private final Cache<String, String> users = Caffeine.newBuilder().maximumSize(10_000).build();

    String user(String id) {
      return users.get(id, Users::load);
    }

    void forget(String id) {
      users.invalidate(id);
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
        "before: "
            + load.measure(
                thread -> {
                  String id = "id " + thread;
                  users.user(id);
                  users.forget(id); // users change: the next caller loads it again
                }));
  }

  private Before() {}
}
