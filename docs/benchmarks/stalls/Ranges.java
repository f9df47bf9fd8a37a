import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;

/** Subtasks of structured scopes, beside a service that goes on. */
final class Ranges {
  private Ranges() {}

  private static int ignoreInterrupts(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // The subtask is to end well.
      }
    }
    return 2;
  }

  /** The first result ends a scope, and the other subtask does not look at its interrupt. */
  @Programs.StandsStill(value = "CountDownLatch|StructuredTaskScope", java = 25)
  static void cancelledSubtaskGoesOn() {
    Asked.service();
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(
        3,
        () -> {
          try (var scope = StructuredTaskScope.open(Joiner.<Integer>anySuccessfulResultOrThrow())) {
            scope.fork(
                () -> {
                  Programs.sleep(0.5);
                  return 1;
                });
            scope.fork(() -> ignoreInterrupts(never));
            scope.join();
          }
        });
  }

  /** An inner scope joins a subtask that needs the result of one which is forked after it. */
  @Programs.StandsStill(value = "CompletableFuture", java = 25)
  static void innerNeedsLaterFork() {
    Asked.service();
    Programs.start(
        () -> {
          CompletableFuture<Integer> rates = new CompletableFuture<>();
          try (var outer = StructuredTaskScope.open()) {
            try (var inner = StructuredTaskScope.open()) {
              inner.fork(() -> rates.get());
              inner.join();
            }
            outer.fork(() -> rates.complete(1));
            outer.join();
          }
        });
  }

  /** A scope waits for an answer of eight seconds, again and again. */
  @Programs.Healthy(java = 25)
  static void slowScopes() {
    Asked.service();
    Programs.repeat(
        2,
        () -> {
          try (var scope = StructuredTaskScope.open(Joiner.<Integer>anySuccessfulResultOrThrow())) {
            for (int i = 0; i < 2; i++) {
              scope.fork(
                  () -> {
                    Programs.sleep(8);
                    return 1;
                  });
            }
            scope.join();
          }
        });
  }
}
