package samples.computeifabsent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import samples.Load;
import samples.SlowService;

/** A map of futures: putting one in is quick, and the price is loaded outside of the map. */
public final class After {
  static final class Prices {
    private final ConcurrentHashMap<String, CompletableFuture<Integer>> prices =
        new ConcurrentHashMap<>();

    int price(String article) {
      var mine = new CompletableFuture<Integer>();
      CompletableFuture<Integer> earlier = prices.putIfAbsent(article, mine);
      if (earlier != null) {
        return earlier.join();
      }
      try {
        mine.complete(load(article));
      } catch (Throwable e) {
        // A failure must not stay in the cache, nor leave the waiting threads hanging.
        prices.remove(article, mine);
        mine.completeExceptionally(e);
      }
      return mine.join();
    }

    void forget(String article) {
      prices.remove(article);
    }

    private static int load(String article) {
      try {
        Thread.sleep(SlowService.DELAY); // stands for a query
        return article.length();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var prices = new Prices();
    System.out.println(
        "after: "
            + load.measure(
                thread -> {
                  String article = "article " + thread;
                  prices.price(article);
                  prices.forget(article); // prices change: the next caller loads it again
                }));
  }

  private After() {}
}
