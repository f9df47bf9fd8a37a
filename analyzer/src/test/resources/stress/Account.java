package stress;

import java.util.concurrent.atomic.AtomicInteger;

class Account {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final int number = NUMBERS.incrementAndGet();
  int balance;
  int changes;

  synchronized void deposit(int amount) {
    balance += amount;
    changes++;
  }

  synchronized void withdraw(int amount) {
    balance -= amount;
    changes++;
  }
}

final class SavingsAccount extends Account {
  @Override
  synchronized void deposit(int amount) {
    super.deposit(amount);
    balance++;
  }
}
