/// story: A slow function runs inside Hashtable.computeIfAbsent.
/// java: 21
/// kind: pin
/// holder: java.util.Hashtable.computeIfAbsent
/// truth: bytecode: Hashtable.computeIfAbsent is ACC_SYNCHRONIZED
/// advice: pattern CompletableFuture
/// proof: run Fixed
import java.util.Hashtable;
import java.util.concurrent.CompletableFuture;

class HashtableLoads {
  private static String load(Object key) {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "value";
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Hashtable<Object, String>().computeIfAbsent("key", HashtableLoads::load));
  }

  static class Fixed {
    private static String get(Hashtable<Object, CompletableFuture<String>> map) {
      CompletableFuture<String> mine = new CompletableFuture<>();
      CompletableFuture<String> first = map.putIfAbsent("key", mine);
      if (first == null) {
        mine.complete(load("key"));
      }
      return (first == null ? mine : first).join();
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> get(new Hashtable<>()));
    }
  }
}
