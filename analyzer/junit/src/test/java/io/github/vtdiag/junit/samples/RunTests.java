package io.github.vtdiag.junit.samples;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes as a build does, and prints what became of each test. */
public final class RunTests {
  private RunTests() {}

  /** The names of classes, and {@code name=value} of JUnit's configuration. */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals > 0) {
        request.configurationParameter(
            argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        request.selectors(selectClass(argument));
      }
    }
    LauncherDiscoveryRequest built = request.build();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session.getLauncher().execute(built, new Printing());
    }
    System.out.println("END");
  }

  private static final class Printing implements TestExecutionListener {
    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      print("SKIPPED " + test.getLegacyReportingName() + ": " + reason);
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      print("NOTE " + test.getLegacyReportingName() + ": " + entry.getKeyValuePairs());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest() || result.getThrowable().isPresent()) {
        print(
            result.getStatus()
                + " "
                + test.getLegacyReportingName()
                + result.getThrowable().map(e -> ": " + e.getMessage() + place(e)).orElse(""));
      }
    }

    private static String place(Throwable failure) {
      return failure.getStackTrace().length == 0
          ? ""
          : "\nPLACE " + failure.getStackTrace()[0].toString();
    }

    private static synchronized void print(String line) {
      System.out.println(line);
    }
  }
}
