package samples.libraries;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

/** A Caffeine cache whose loader waits. */
final class CaffeineCache {
  public static void main(String[] args) throws Exception {
    LoadingCache<Integer, String> users = Caffeine.newBuilder().build(CaffeineCache::load);
    Calls.run(
        thread -> {
          String unused = users.get(thread);
        });
  }

  static String load(Integer user) {
    Calls.think();
    return "user " + user;
  }

  private CaffeineCache() {}
}
