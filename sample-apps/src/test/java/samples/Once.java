package samples;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs that several tests look at: the first that asks makes the run on its own thread, so that as
 * many go on at a time as tests do, and the others wait for it.
 *
 * <p>The build runs a test that failed once more. As an extension of the test's class it forgets
 * the runs of a failed test, so that the repetition looks at another one.
 */
public final class Once<T> implements AfterTestExecutionCallback {
  private final Map<String, FutureTask<T>> runs = new ConcurrentHashMap<>();

  /** The runs that the test on each thread has asked for. */
  private final Map<Thread, Set<String>> asked = new ConcurrentHashMap<>();

  /** What the run of this name gave. */
  public T get(String name, Callable<T> run) throws InterruptedException, ExecutionException {
    asked.computeIfAbsent(Thread.currentThread(), thread -> new HashSet<>()).add(name);
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

  @Override
  public void afterTestExecution(ExtensionContext test) {
    Set<String> looked = asked.remove(Thread.currentThread());
    if (looked != null && test.getExecutionException().isPresent()) {
      runs.keySet().removeAll(looked);
    }
  }
}
