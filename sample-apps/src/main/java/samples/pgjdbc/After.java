package samples.pgjdbc;

/** The same program; only the driver on the class path is newer, and holds locks instead. */
public final class After {
  public static void main(String[] args) throws Exception {
    Queries.run("after", args);
  }

  private After() {}
}
