package samples.libraries;

import org.h2.tools.Server;

/** Queries to H2 over TCP. */
final class H2 {
  public static void main(String[] args) throws Exception {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    String url =
        "jdbc:h2:tcp://127.0.0.1:"
            + server.getPort()
            + "/mem:test;DB_CLOSE_DELAY=-1;INIT=create alias if not exists sleep for"
            + " \"java.lang.Thread.sleep(long)\"";
    Queries.run(url, "call sleep(" + Calls.DELAY.toMillis() + ")");
  }

  private H2() {}
}
