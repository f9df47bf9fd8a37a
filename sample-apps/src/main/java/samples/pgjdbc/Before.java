package samples.pgjdbc;

/** Queries through pgjdbc 42.5.4, which holds monitors while it waits for the server. */
public final class Before {
  public static void main(String[] args) throws Exception {
    Queries.run("before", args);
  }

  private Before() {}
}
