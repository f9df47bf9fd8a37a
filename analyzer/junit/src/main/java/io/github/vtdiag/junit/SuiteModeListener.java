package io.github.vtdiag.junit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes one line enough for a whole suite: if {@code vtdiag.junit.mode} is set and JUnit is not
 * told to detect extensions, it is told to detect this one, and no other.
 */
public final class SuiteModeListener implements LauncherSessionListener {
  private static final String DETECT = "junit.jupiter.extensions.autodetection.enabled";
  private static final String INCLUDE = "junit.jupiter.extensions.autodetection.include";

  private boolean told;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String mode = parameter(SuiteMode.MODE);
    if (mode == null || mode.trim().equals("off") || parameter(DETECT) != null) {
      return;
    }
    if (!hasInclude()) {
      Logger.getLogger("io.github.vtdiag.junit")
          .warning(
              SuiteMode.MODE
                  + ": not checked, because this JUnit is older than 5.12; add "
                  + DETECT
                  + "=true to junit-platform.properties");
      return;
    }
    System.setProperty(INCLUDE, PinExtension.class.getName());
    System.setProperty(DETECT, "true");
    told = true;
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (told) {
      System.clearProperty(INCLUDE);
      System.clearProperty(DETECT);
    }
  }

  /** Returns a parameter as JUnit finds it: from the JVM's properties, then from the file. */
  private static String parameter(String name) {
    String value = System.getProperty(name);
    return value != null ? value : file().getProperty(name);
  }

  private static Properties file() {
    Properties properties = new Properties();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (loader == null) {
      loader = ClassLoader.getSystemClassLoader();
    }
    try (InputStream in = loader.getResourceAsStream("junit-platform.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      // JUnit reads it too, and reports what is wrong with it.
    }
    return properties;
  }

  /**
   * Returns whether JUnit can restrict the detection. Older versions would detect all extensions on
   * the class path.
   */
  private static boolean hasInclude() {
    try {
      Class<?> constants =
          Class.forName(
              "org.junit.jupiter.engine.Constants",
              false,
              Thread.currentThread().getContextClassLoader());
      return constants.getField("EXTENSIONS_AUTODETECTION_INCLUDE_PROPERTY_NAME") != null;
    } catch (ReflectiveOperationException | LinkageError e) {
      return false;
    }
  }
}
