package io.github.vtdiag.cli;

import java.util.Map;

/**
 * {@code ./vtdiag sample} of a checkout. It is in the package of vtdiag's commands, but outside
 * vtdiag's jar: it reads its options and answers as they do, and none of them knows it.
 */
public final class ExperimentsMain {
  private ExperimentsMain() {}

  public static void main(String[] args) {
    int code = Main.run(Console.ofProcess(), Map.of("sample", SampleCommand::new), args);
    System.out.flush();
    System.exit(code);
  }
}
