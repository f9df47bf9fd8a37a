package samples;

/** Runs the stories that its arguments name after their change, one after the other in one JVM. */
public final class Afters {
  private Afters() {}

  public static void main(String[] stories) throws Exception {
    for (String story : stories) {
      System.out.println("story " + story);
      String[] load = {"--threads", "16", "--seconds", "0.3"};
      Class.forName("samples." + story + ".After")
          .getMethod("main", String[].class)
          .invoke(null, (Object) load);
    }
  }
}
