package samples.web;

import samples.pgjdbc.Server;

/** PostgreSQL as a program of its own, which several others may query one after the other. */
public final class Database {
  public static void main(String[] args) throws Exception {
    int connections = WebServer.Options.of(args).number("connections", 300);
    try (Server server = Server.start(connections)) {
      System.out.println("READY port=" + server.port());
      while (System.in.read() >= 0) {
        // Only the end of the input matters.
      }
    }
    System.out.println("RESULT connections=" + connections);
  }

  private Database() {}
}
