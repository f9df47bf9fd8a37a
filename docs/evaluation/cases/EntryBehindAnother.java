/// story: One thread holds a lock for long; the others wait to enter, and each keeps a carrier.
/// java: 21
/// kind: pin
/// holder: EntryBehindAnother$Stock.count
/// truth: bytecode: count is the only method that takes this monitor
/// advice: rewrite Stock
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class EntryBehindAnother {
  static class Stock {
    synchronized void count() throws Exception {
      Thread.sleep(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Stock one = new Stock();
    Case.repeat(one::count);
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();

    void count() throws Exception {
      lock.lock();
      try {
        Thread.sleep(40);
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Fixed one = new Fixed();
      Case.repeat(one::count);
    }
  }
}
