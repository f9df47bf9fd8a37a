/// story: Object.wait gives its own monitor back, but keeps the carrier.
/// java: 21
/// kind: pin
/// holder: WaitForNotification$Mailbox.take
/// truth: JEP 444: Object.wait blocks the carrier; JEP 491 ended that
/// advice: rewrite Mailbox | pattern Condition
/// proof: run Fixed
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class WaitForNotification {
  static class Mailbox {
    synchronized void take() throws Exception {
      wait(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Mailbox().take());
  }

  static class Fixed {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition mail = lock.newCondition();

    void take() throws Exception {
      lock.lock();
      try {
        mail.await(40, TimeUnit.MILLISECONDS);
      } finally {
        lock.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().take());
    }
  }
}
