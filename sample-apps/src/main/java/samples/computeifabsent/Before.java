package samples.computeifabsent;

import java.util.concurrent.ConcurrentHashMap;
import samples.Load;
import samples.SlowService;

/** A cache of prices whose missing entries are loaded inside {@code computeIfAbsent}. */
public final class Before {
  static final class Prices {
    private final ConcurrentHashMap<String, Integer> prices = new ConcurrentHashMap<>();

    int price(String article) {
      return prices.computeIfAbsent(article, Prices::load);
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
        "before: "
            + load.measure(
                thread -> {
                  String article = "article " + thread;
                  prices.price(article);
                  prices.forget(article); // prices change: the next caller loads it again
                }));
  }

  private Before() {}
}
