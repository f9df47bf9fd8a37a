/// story: Tasks take a permit and lose it on an exception.
/// java: 21 25
/// kind: stands still
/// names: Semaphore
/// truth: the semaphore has no permit left, and whoever took one has ended
import java.util.concurrent.Semaphore;

class LeakedPermits {
  private static final Semaphore PERMITS = new Semaphore(2);

  private static void task() throws Exception {
    PERMITS.acquire();
    Thread.sleep(10);
  }

  public static void main(String[] args) throws Exception {
    Case.standStill(LeakedPermits::task, LeakedPermits::task, LeakedPermits::task, LeakedPermits::task, LeakedPermits::task);
  }
}
