package samples.libraries;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.Executors;

/**
 * The same cache as it is advised: it holds futures, and the loader waits in a thread of its own.
 */
final class CaffeineAsyncCache {
  public static void main(String[] args) throws Exception {
    AsyncLoadingCache<Integer, String> users =
        Caffeine.newBuilder()
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .buildAsync(CaffeineCache::load);
    Calls.run(thread -> users.get(thread).get());
  }

  private CaffeineAsyncCache() {}
}
