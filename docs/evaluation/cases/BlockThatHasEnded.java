/// story: A method has two blocks; the wait is in the second method, inside the caller's block, after the first block has ended.
/// java: 21
/// kind: pin
/// holder: BlockThatHasEnded$Cache.refresh
/// truth: bytecode: at the call of load in get no monitor is held; refresh holds one around its call of get
/// advice: rewrite Cache
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class BlockThatHasEnded {
  static class Cache {
    private final Object entries = new Object();
    private int hits;

    String get() throws Exception {
      synchronized (entries) {
        hits++;
      }
      return load();
    }

    synchronized void refresh() throws Exception {
      get();
    }

    private String load() throws Exception {
      Thread.sleep(40);
      return "value";
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Cache().refresh());
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();

    void refresh() throws Exception {
      lock.lock();
      try {
        new Cache().get();
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().refresh());
    }
  }
}
