/// story: A slow function runs inside ConcurrentHashMap.computeIfAbsent.
/// java: 21
/// kind: pin
/// holder: java.util.concurrent.ConcurrentHashMap.computeIfAbsent
/// truth: bytecode: computeIfAbsent holds the monitor of a ReservationNode around the call of the function
/// advice: pattern CompletableFuture
/// proof: run Fixed
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

class ConcurrentMapLoads {
  private static String load(Object key) {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "value";
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new ConcurrentHashMap<Object, String>().computeIfAbsent("key", ConcurrentMapLoads::load));
  }

  static class Fixed {
    private static String get(ConcurrentHashMap<Object, CompletableFuture<String>> map) {
      CompletableFuture<String> mine = new CompletableFuture<>();
      CompletableFuture<String> first = map.putIfAbsent("key", mine);
      if (first == null) {
        mine.complete(load("key"));
      }
      return (first == null ? mine : first).join();
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> get(new ConcurrentHashMap<>()));
    }
  }
}
