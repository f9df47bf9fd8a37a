package samples.libraries;

/** Queries through MariaDB's driver. */
final class Mariadb {
  public static void main(String[] args) throws Exception {
    Queries.run(
        "jdbc:mariadb://127.0.0.1:"
            + MysqlServer.start()
            + "/test?user=test&useReadAheadInput=true",
        "select sleep(0.05)");
  }

  private Mariadb() {}
}
