package samples.libraries;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;

/** Log messages to a log server that is slower than the program. */
final class Log4j {
  public static void main(String[] args) throws Exception {
    ConfigurationBuilder<BuiltConfiguration> builder =
        ConfigurationBuilderFactory.newConfigurationBuilder();
    builder.setStatusLevel(Level.OFF);
    builder.add(
        builder
            .newAppender("server", "Socket")
            .addAttribute("host", "127.0.0.1")
            .addAttribute("port", SlowReader.start())
            .add(builder.newLayout("PatternLayout").addAttribute("pattern", "%m%n")));
    builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("server")));
    Logger logger = Configurator.initialize(builder.build()).getLogger("samples");
    String message = "x".repeat(SlowReader.PIECE);
    Calls.run(thread -> logger.info(message));
  }

  private Log4j() {}
}
