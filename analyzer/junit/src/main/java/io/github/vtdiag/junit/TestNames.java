package io.github.vtdiag.junit;

/** The names of tests in failures and in the log. */
final class TestNames {
  private TestNames() {}

  /**
   * Returns {@code OrdersTest.placesAnOrder}, followed by what else JUnit displays, if anything.
   */
  static String of(String className, String method, String display) {
    String simple =
        className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    // JUnit adds the types of parameters.
    boolean isSame =
        display.equals(method) || (display.startsWith(method + "(") && display.endsWith(")"));
    return simple + "." + method + (isSame ? "" : " " + display);
  }
}
