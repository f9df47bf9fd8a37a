package samples.usage;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.concurrent.atomic.LongAdder;

/**
 * Eight threads that look up a host, with the JDK's cache off. The system's resolver is native code
 * and occupies the carrier until it has the answer.
 *
 * <p>The twin leaves the cache on.
 */
public final class Names {
  private static final int CLIENTS = 8;

  private static final LongAdder LOOKED_UP = new LongAdder();

  public static void main(String[] args) {
    Setup.twoCarriers();
    if (!Setup.healthy()) {
      Security.setProperty("networkaddress.cache.ttl", "0");
    }
    Setup.join(Setup.start(CLIENTS, "client", Names::lookUp));
    Setup.done(LOOKED_UP + " names");
  }

  private static void lookUp() {
    try {
      while (Setup.timeLeft()) {
        InetAddress.getByName("localhost");
        LOOKED_UP.increment();
        if (Setup.healthy()) {
          Setup.pause(1);
        }
      }
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private Names() {}
}
