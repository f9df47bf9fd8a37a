package samples.waits;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * 200 virtual threads and 5 clients ({@code clients}) in an {@link ArrayBlockingQueue}, which is a
 * pool: each thread takes one for a call of 20 ms, and puts it back. The twin has a client for each
 * thread.
 */
public final class LentClients {
  private record Client(int number) {
    void call() throws InterruptedException {
      Crowd.work(20);
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.getInteger("threads", 200);
    int clients = Crowd.healthy() ? threads : Integer.getInteger("clients", 5);
    BlockingQueue<Client> free = new ArrayBlockingQueue<>(clients);
    for (int i = 0; i < clients; i++) {
      free.add(new Client(i));
    }
    Crowd.repeat(threads, () -> call(free));
  }

  private static void call(BlockingQueue<Client> free) throws InterruptedException {
    Client client = free.take();
    try {
      client.call();
    } finally {
      free.add(client);
    }
  }

  private LentClients() {}
}
