package samples.waits;

import java.util.concurrent.Semaphore;

/**
 * 200 virtual threads and a {@link Semaphore} of 5 ({@code permits}) around a call of 20 ms: 250
 * calls a second, as intended. The twin has a permit for each thread.
 */
public final class Permits {
  public static void main(String[] args) throws Exception {
    int threads = Integer.getInteger("threads", 200);
    var permits = new Semaphore(Crowd.healthy() ? threads : Integer.getInteger("permits", 5));
    Crowd.repeat(threads, () -> call(permits));
  }

  private static void call(Semaphore permits) throws InterruptedException {
    permits.acquire();
    try {
      Crowd.work(20);
    } finally {
      permits.release();
    }
  }

  private Permits() {}
}
