package stress;

import java.util.ArrayDeque;

/** Bounded: with Windows line ends, so that the patch has to keep them. */
final class Buffer {
  private final ArrayDeque<Integer> items = new ArrayDeque<>();
  private final int capacity;
  private boolean overfull;

  Buffer(int capacity) {
    this.capacity = capacity;
  }

  synchronized void put(int item) throws InterruptedException {
    while (items.size() == capacity) {
      wait();
    }
    items.add(item);
    overfull |= items.size() > capacity;
    notifyAll();
  }

  synchronized Integer take() throws InterruptedException {
    while (items.isEmpty()) {
      this.wait();
    }
    this.notifyAll();
    return items.remove();
  }

  /** Null after the time is over. */
  Integer poll(long millis) throws InterruptedException {
    synchronized (this) {
      if (items.isEmpty()) {
        wait(millis);
      }
      if (items.isEmpty()) {
        return null;
      }
      notifyAll();
      return items.remove();
    }
  }

  synchronized int size() {
    return items.size();
  }

  synchronized boolean wasOverfull() {
    return overfull;
  }
}
