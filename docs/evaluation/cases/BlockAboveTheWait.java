/// story: A service holds a block around a call, three methods above the wait.
/// java: 21
/// kind: pin
/// holder: BlockAboveTheWait$Orders.place
/// truth: bytecode: monitorenter in place, none in the methods below
/// advice: rewrite Orders
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class BlockAboveTheWait {
  static class Orders {
    private final Object lock = new Object();

    void place() throws Exception {
      synchronized (lock) {
        new Database().query();
      }
    }
  }

  static class Database {
    void query() throws Exception {
      send();
    }

    private void send() throws Exception {
      Thread.sleep(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Orders().place());
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();

    void place() throws Exception {
      lock.lock();
      try {
        new Database().query();
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().place());
    }
  }
}
