/// story: The block stands in a lambda.
/// java: 21
/// kind: pin
/// holder: LambdaHolds.lambda$main$0
/// truth: bytecode: monitorenter in the lambda's synthetic method
/// advice: rewrite
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class LambdaHolds {
  private static void remote() throws Exception {
    Thread.sleep(40);
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(
        () -> {
          Object own = new Object();
          synchronized (own) {
            remote();
          }
        });
  }

  static class Fixed {
    public static void main(String[] args) throws Exception {
      Case.repeat(
          () -> {
            ReentrantLock own = new ReentrantLock();
            own.lock();
            try {
              remote();
            } finally {
              own.unlock();
            }
          });
    }
  }
}
