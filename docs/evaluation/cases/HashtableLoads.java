/// story: A slow function runs inside Hashtable.computeIfAbsent.
/// java: 21
/// kind: pin
/// holder: java.util.Hashtable.computeIfAbsent
/// truth: bytecode: Hashtable.computeIfAbsent is ACC_SYNCHRONIZED
import java.util.Hashtable;

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
}
