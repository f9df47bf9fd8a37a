/// story: Workers have served a queue, and wait for more.
/// java: 21 25
/// kind: healthy
/// truth: a queue whose workers wait has nothing to do
/// advice: none
import java.util.concurrent.LinkedBlockingQueue;

class IdleQueue {
  public static void main(String[] args) throws Exception {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    for (int i = 0; i < 4; i++) {
      Case.start(
          () -> {
            while (true) {
              queue.take();
            }
          },
          1);
    }
    Case.idle(() -> queue.put(1));
  }
}
