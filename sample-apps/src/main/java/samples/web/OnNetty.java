package samples.web;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The endpoint on WebFlux and Netty: once with a timer, and once with a call that really blocks.
 */
public final class OnNetty {
  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(Endpoint.class)
  public static class Application {}

  /** The endpoints. */
  @RestController
  public static class Endpoint {
    /** Answers by a timer: nothing blocks here. */
    @GetMapping("/delay")
    public Mono<String> delay(@RequestParam("millis") long millis) {
      return Mono.delay(Duration.ofMillis(millis)).thenReturn("slept");
    }

    /**
     * Blocks on the scheduler that Reactor recommends for it. It has ten threads for each
     * processor, unless told otherwise.
     */
    @GetMapping("/sleep")
    public Mono<String> sleep(@RequestParam("millis") long millis) {
      return Mono.fromSupplier(() -> slept(millis)).subscribeOn(Schedulers.boundedElastic());
    }
  }

  private static String slept(long millis) {
    try {
      Thread.sleep(millis);
      return "slept";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    WebServer.Options.of(args);
    WebServer.run(Application.class, Map.of());
  }

  private OnNetty() {}
}
