package samples.whatif;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;

/** Objects that a mocking library made, as locks. */
public final class Mocks {
  private Mocks() {}

  /** Locks itself, and is mocked. */
  public static class Store {
    private int count;

    public synchronized int next() {
      return ++count;
    }
  }

  /** Mocked through its interface. */
  public interface Source {
    int next();
  }

  private static int count(Object lock) throws InterruptedException {
    int[] count = new int[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int j = 0; j < 1_000; j++) {
                  synchronized (lock) {
                    count[0]++;
                    lock.notifyAll();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return count[0];
  }

  private static int ask(Store store) {
    return store.next();
  }

  public static void main(String[] args) throws Exception {
    Store mock = mock(Store.class);
    System.out.println("inline " + (mock.getClass() == Store.class));
    when(mock.next()).thenReturn(7);
    System.out.println(ask(mock) + " " + count(mock));
    verify(mock).next();
    Store spy = spy(new Store());
    System.out.println(ask(spy) + " " + ask(spy) + " " + count(spy));
    System.out.println(count(mock(Source.class)));
    System.out.println("done");
  }
}
