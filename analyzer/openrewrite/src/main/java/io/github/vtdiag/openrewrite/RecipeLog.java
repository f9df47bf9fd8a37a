package io.github.vtdiag.openrewrite;

import java.util.logging.Logger;

/** The log of the build, where it has one: Maven and Gradle show that of SLF4J. */
final class RecipeLog {
  private static final String NAME = "io.github.vtdiag.MonitorToLock";

  private RecipeLog() {}

  static void warn(String line) {
    try {
      org.slf4j.LoggerFactory.getLogger(NAME).warn("{}", line);
    } catch (NoClassDefFoundError e) {
      Logger.getLogger(NAME).warning(line);
    }
  }

  static void error(String line) {
    try {
      org.slf4j.LoggerFactory.getLogger(NAME).error("{}", line);
    } catch (NoClassDefFoundError e) {
      Logger.getLogger(NAME).severe(line);
    }
  }
}
