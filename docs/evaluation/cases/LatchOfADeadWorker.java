/// story: A worker dies before it counts the latch down.
/// java: 21 25
/// kind: stands still
/// names: CountDownLatch
/// truth: the only thread that counts down has ended
import java.util.concurrent.CountDownLatch;

class LatchOfADeadWorker {
  public static void main(String[] args) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              if (args.length == 0) {
                return;
              }
              done.countDown();
            });
    Case.standStill(done::await, done::await);
  }
}
