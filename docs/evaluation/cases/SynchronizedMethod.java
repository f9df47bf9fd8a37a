/// story: A synchronized method sleeps.
/// java: 21
/// kind: pin
/// holder: SynchronizedMethod$Account.charge
/// truth: bytecode: charge is ACC_SYNCHRONIZED
/// advice: rewrite Account
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class SynchronizedMethod {
  static class Account {
    synchronized void charge() throws Exception {
      Thread.sleep(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Account().charge());
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();

    void charge() throws Exception {
      lock.lock();
      try {
        Thread.sleep(40);
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().charge());
    }
  }
}
