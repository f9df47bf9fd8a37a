package whatif;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Another agent that has to do with {@code ConcurrentHashMap}. */
public final class MapAgent {
  private MapAgent() {}

  public static void premain(String arguments, Instrumentation instrumentation)
      throws UnmodifiableClassException, InterruptedException {
    if (arguments.equals("retransforms")) {
      instrumentation.retransformClasses(ConcurrentHashMap.class);
      return;
    }
    Map<String, String> map = new ConcurrentHashMap<>();
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .start(
            () ->
                map.computeIfAbsent(
                    "key",
                    key -> {
                      inside.countDown();
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        return "interrupted";
                      }
                      return "value";
                    }));
    inside.await();
  }
}
