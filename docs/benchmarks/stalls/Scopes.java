import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.StructuredTaskScope;

/** Structured task scopes, a preview of Java 25. */
final class Scopes {
  private Scopes() {}

  /** Three scopes wait for a subtask that waits for a future. */
  @Programs.StandsStill(value = "CompletableFuture", java = 25)
  static void scopeWithStuckSubtask() {
    Programs.start(
        3,
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> 1);
            scope.fork(() -> new CompletableFuture<>().join());
            scope.join();
          }
        });
  }

  /** Ten threads open scopes, fork three subtasks of half a second in each, and join. */
  @Programs.Healthy(java = 25)
  static void scopesOpenedAndClosed() {
    Programs.repeat(
        10,
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            for (int i = 0; i < 3; i++) {
              scope.fork(
                  () -> {
                    Programs.sleep(0.5);
                    return 1;
                  });
            }
            scope.join();
          }
        });
  }

  /** A scope waits for a subtask that takes from a queue into which nobody puts anything. */
  @Programs.StandsStill(value = "LinkedBlockingQueue", java = 25)
  static void scopeOfTaker() {
    Programs.repeat(1, () -> Programs.sleep(0.5));
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            scope.fork(queue::take);
            scope.join();
          }
        });
  }

  /** A scope waits for three subtasks that work for longer than the program lasts. */
  @Programs.Healthy(java = 25)
  static void scopeOfLongSubtasks() {
    Programs.start(
        () -> {
          try (var scope = StructuredTaskScope.open()) {
            for (int i = 0; i < 3; i++) {
              scope.fork(
                  () -> {
                    while (true) {
                      Programs.sleep(0.1);
                    }
                  });
            }
            scope.join();
          }
        });
  }
}
