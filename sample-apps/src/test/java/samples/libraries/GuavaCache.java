package samples.libraries;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;

/** A Guava cache whose loader waits. */
final class GuavaCache {
  public static void main(String[] args) throws Exception {
    LoadingCache<Integer, String> users =
        CacheBuilder.newBuilder().build(CacheLoader.from(GuavaCache::load));
    Calls.run(
        thread -> {
          String unused = users.get(thread);
        });
  }

  private static String load(Integer user) {
    Calls.think();
    return "user " + user;
  }

  private GuavaCache() {}
}
