package samples;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs that several tests look at: the first that asks makes the run on its own thread, so that as
 * many go on at a time as tests do, and the others wait for it.
 */
public final class Once<T> {
  private final Map<String, FutureTask<T>> runs = new ConcurrentHashMap<>();

  /** What the run of this name gave. */
  public T get(String name, Callable<T> run) throws InterruptedException, ExecutionException {
    FutureTask<T> task = runs.computeIfAbsent(name, key -> new FutureTask<>(run));
    task.run();
    try {
      return task.get();
    } catch (ExecutionException e) {
      // The build runs a test that failed once more, and then the run is to be made once more.
      runs.remove(name, task);
      throw e;
    }
  }

  /** The next that asks makes the run of this name once more. */
  public void forget(String name) {
    runs.remove(name);
  }
}
