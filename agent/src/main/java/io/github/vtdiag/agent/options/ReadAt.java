package io.github.vtdiag.agent.options;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The endpoint where metrics can be read.
 *
 * @param endpoint where HTTP is answered; empty for a JMX bean alone
 */
public record ReadAt(Optional<Endpoint> endpoint) {
  private static final Pattern ADDRESS = Pattern.compile("(?:\\[(.+)]:|([^:]+):)?(\\d{1,5})");
  private static final int MOST = 65_535;

  /**
   * An address to listen at.
   *
   * @param host a name or an address; empty for the loopback address
   * @param port 0 for any free port
   */
  public record Endpoint(String host, int port) {
    @Override
    public String toString() {
      return host.isEmpty() ? Integer.toString(port) : bracketed(host) + ":" + port;
    }
  }

  /**
   * Reads {@code jmx}, {@code PORT}, {@code HOST:PORT} or {@code [IPV6]:PORT}.
   *
   * @return empty if it is none of these
   */
  public static Optional<ReadAt> parse(String text) {
    if (text.equals("jmx")) {
      return Optional.of(new ReadAt(Optional.empty()));
    }
    Matcher address = ADDRESS.matcher(text);
    if (!address.matches() || Integer.parseInt(address.group(3)) > MOST) {
      return Optional.empty();
    }
    String host =
        Optional.ofNullable(address.group(1))
            .or(() -> Optional.ofNullable(address.group(2)))
            .orElse("");
    return Optional.of(
        new ReadAt(Optional.of(new Endpoint(host, Integer.parseInt(address.group(3))))));
  }

  public static String bracketed(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** Returns the option as it was written. */
  public String text() {
    return endpoint.map(Endpoint::toString).orElse("jmx");
  }
}
