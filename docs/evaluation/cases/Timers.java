/// story: A scheduler runs a task every second.
/// java: 21 25
/// kind: healthy
/// truth: a sleeping thread waits for the clock
/// advice: none
import java.time.Duration;

class Timers {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 10; i++) {
      Case.start(
          () -> {
            while (true) {
              Thread.sleep(Duration.ofSeconds(1));
            }
          },
          1);
    }
    Case.idle(() -> {});
  }
}
