package samples.libraries;

/** Queries through MySQL's driver. */
final class Mysql {
  public static void main(String[] args) throws Exception {
    Queries.run(url(MysqlServer.start()), "select sleep(0.05)");
  }

  static String url(int port) {
    return "jdbc:mysql://127.0.0.1:" + port + "/test?user=test&sslMode=DISABLED";
  }

  private Mysql() {}
}
