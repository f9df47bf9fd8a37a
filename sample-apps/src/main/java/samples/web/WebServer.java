package samples.web;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts an application of Spring Boot on a free port, and ends with this JVM's input. */
final class WebServer {
  /** The {@code key=value} options of the command line. */
  record Options(Map<String, String> values) {
    static Options of(String[] args) {
      var values = new HashMap<String, String>();
      for (String arg : args) {
        int equals = arg.indexOf('=');
        if (equals < 1) {
          System.err.println("'" + arg + "' is not key=value");
          System.exit(2);
        }
        values.put(arg.substring(0, equals), arg.substring(equals + 1));
      }
      return new Options(Map.copyOf(values));
    }

    String text(String key, String usual) {
      return values.getOrDefault(key, usual);
    }

    int number(String key, int usual) {
      try {
        return Integer.parseInt(text(key, Integer.toString(usual)));
      } catch (NumberFormatException e) {
        System.err.println(key + " needs a number, not '" + text(key, "") + "'");
        System.exit(2);
        throw new AssertionError(e);
      }
    }
  }

  /**
   * Serves until the input ends.
   *
   * @param settings Spring Boot's properties beside those that every application here has
   */
  static void run(Class<?> application, Map<String, Object> settings) throws Exception {
    var peaks = Peaks.watch();
    var properties = new HashMap<String, Object>(settings);
    properties.put("server.address", "127.0.0.1");
    properties.put("server.port", "0");
    // When the program is stopped, all wanted answers have arrived.
    properties.put("server.shutdown", "immediate");
    properties.put("logging.level.root", "warn");
    var spring = new SpringApplication(application);
    spring.setBannerMode(Banner.Mode.OFF);
    spring.setDefaultProperties(properties);
    ConfigurableApplicationContext context = spring.run();
    System.out.println("READY port=" + context.getEnvironment().getProperty("local.server.port"));
    while (System.in.read() >= 0) {
      // Only the end of the input matters.
    }
    System.out.println("RESULT " + peaks.result());
    System.exit(0);
  }

  private WebServer() {}
}
