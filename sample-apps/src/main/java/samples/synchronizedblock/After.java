package samples.synchronizedblock;

import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import samples.Load;
import samples.SlowService;

/** The same account; the private field is now a lock. */
public final class After {
  static final class Account {
    private final ReentrantLock lock = new ReentrantLock();
    private long balance;

    void deposit(long amount) throws InterruptedException {
      lock.lock();
      try {
        long newBalance = balance + amount;
        store(newBalance);
        balance = newBalance;
      } finally {
        lock.unlock();
      }
    }

    private static void store(long balance) throws InterruptedException {
      if (balance < 0) {
        throw new IllegalArgumentException("overdrawn: " + balance);
      }
      Thread.sleep(SlowService.DELAY); // stands for the database
    }
  }

  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    var accounts = IntStream.range(0, load.threads()).mapToObj(i -> new Account()).toList();
    System.out.println("after: " + load.measure(thread -> accounts.get(thread).deposit(1)));
  }

  private After() {}
}
