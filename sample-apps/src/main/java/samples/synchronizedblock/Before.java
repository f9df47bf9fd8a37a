package samples.synchronizedblock;

import java.util.stream.IntStream;
import samples.Load;
import samples.SlowService;

/** An account that is written to its store inside a block synchronized on a private field. */
public final class Before {
  static final class Account {
    private final Object lock = new Object();
    private long balance;

    void deposit(long amount) throws InterruptedException {
      synchronized (lock) {
        long newBalance = balance + amount;
        store(newBalance);
        balance = newBalance;
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
    System.out.println("before: " + load.measure(thread -> accounts.get(thread).deposit(1)));
  }

  private Before() {}
}
