package io.github.vtdiag.junit;

import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The demands of {@code junit-platform.properties} on every test. */
final class SuiteMode {
  static final String MODE = "vtdiag.junit.mode";
  static final String LONGEST = "vtdiag.junit.longest";
  static final String MAX_STALL = "vtdiag.junit.maxStall";

  final boolean isOn;
  final boolean onlyReports;
  final String longest;
  final String maxStall;

  /** True if pins of no known test fail the run. */
  final boolean unknownFails;

  private SuiteMode(
      boolean isOn, boolean onlyReports, String longest, String maxStall, boolean unknownFails) {
    this.isOn = isOn;
    this.onlyReports = onlyReports;
    this.longest = longest;
    this.maxStall = maxStall;
    this.unknownFails = unknownFails;
  }

  static SuiteMode of(ExtensionContext context) {
    String mode = context.getConfigurationParameter(MODE).orElse("off").trim();
    if (!mode.equals("fail") && !mode.equals("report") && !mode.equals("off")) {
      throw new ExtensionConfigurationException(
          MODE + " is '" + mode + "' in junit-platform.properties; write fail, report or off");
    }
    String unknown = context.getConfigurationParameter(PinWatch.UNKNOWN).orElse("report").trim();
    if (!unknown.equals("fail") && !unknown.equals("report")) {
      throw new ExtensionConfigurationException(
          PinWatch.UNKNOWN
              + " is '"
              + unknown
              + "' in junit-platform.properties; write fail or report");
    }
    return new SuiteMode(
        !mode.equals("off"),
        mode.equals("report"),
        context.getConfigurationParameter(LONGEST).orElse("20ms").trim(),
        context.getConfigurationParameter(MAX_STALL).orElse("").trim(),
        unknown.equals("fail"));
  }
}
