/// story: A synchronized method calls a slow function inside Hashtable.computeIfAbsent.
/// java: 21
/// kind: pin
/// holder: java.util.Hashtable.computeIfAbsent TwoMonitors$Prices.get
/// truth: bytecode: both methods are ACC_SYNCHRONIZED and on the stack of the wait; either pins
/// advice: pattern + rewrite Prices
/// proof: run Fixed; a pin ends when no monitor is held on the stack any more
import java.util.Hashtable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

class TwoMonitors {
  static class Prices {
    private final Hashtable<String, String> known = new Hashtable<>();

    synchronized String get(String article) {
      return known.computeIfAbsent(article, TwoMonitors::load);
    }
  }

  private static String load(String article) {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "1 euro";
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Prices().get("tea"));
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();
    private final Hashtable<String, CompletableFuture<String>> known = new Hashtable<>();

    String get(String article) {
      lock.lock();
      try {
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> first = known.putIfAbsent(article, mine);
        if (first == null) {
          mine.complete(load(article));
        }
        return (first == null ? mine : first).join();
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().get("tea"));
    }
  }
}
