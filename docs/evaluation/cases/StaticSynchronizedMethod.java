/// story: A static synchronized method takes an id from a slow service, one caller at a time.
/// java: 21
/// kind: pin
/// holder: StaticSynchronizedMethod$Ids.next
/// truth: bytecode: next is ACC_STATIC and ACC_SYNCHRONIZED
/// advice: rewrite Ids
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class StaticSynchronizedMethod {
  static class Ids {
    private static long last;

    static synchronized long next() throws Exception {
      Thread.sleep(40);
      return ++last;
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(Ids::next);
  }

  static class Fixed {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static long last;

    static long next() throws Exception {
      LOCK.lock();
      try {
        Thread.sleep(40);
        return ++last;
      } finally {
        LOCK.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(Fixed::next);
    }
  }
}
