package samples.waits;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * 100 virtual threads that put into a queue of 10, and one that takes out of it and needs 5 ms for
 * each. In the twin as many take as put, and mostly wait for work, as workers should.
 */
public final class BoundedQueue {
  public static void main(String[] args) throws Exception {
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(10);
    int consumers = Crowd.healthy() ? 100 : 1;
    for (int i = 0; i < consumers; i++) {
      Thread.ofVirtual().name("consumer-" + i).start(() -> consume(queue));
    }
    Crowd.repeat(100, () -> produce(queue));
  }

  private static void produce(BlockingQueue<String> queue) throws InterruptedException {
    if (Crowd.healthy()) {
      Crowd.work(100);
    }
    queue.put("order");
  }

  private static void consume(BlockingQueue<String> queue) {
    try {
      while (true) {
        queue.take();
        Crowd.work(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private BoundedQueue() {}
}
