package samples.web;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An endpoint that blocks for some time, on Spring MVC and Tomcat: {@code threads=N} platform
 * threads, or {@code threads=virtual}, one for each request.
 */
public final class OnTomcat {
  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(Endpoint.class)
  public static class Application {}

  /** The endpoint. */
  @RestController
  public static class Endpoint {
    /** Takes its time, in place of work elsewhere. */
    @GetMapping("/sleep")
    public String sleep(@RequestParam("millis") long millis) throws InterruptedException {
      Thread.sleep(millis);
      return "slept";
    }
  }

  public static void main(String[] args) throws Exception {
    WebServer.run(Application.class, threads(WebServer.Options.of(args)));
  }

  /** Returns the usual settings, but for the number of clients that may connect at once. */
  static Map<String, Object> threads(WebServer.Options options) {
    var settings = new HashMap<String, Object>();
    settings.put("server.tomcat.accept-count", "4096");
    String threads = options.text("threads", "200");
    if (threads.equals("virtual")) {
      settings.put("spring.threads.virtual.enabled", "true");
    } else {
      settings.put("server.tomcat.threads.max", threads);
    }
    return settings;
  }

  private OnTomcat() {}
}
