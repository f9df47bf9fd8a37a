package io.github.vtdiag.gradleplugin;

import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.gradle.api.GradleException;
import org.gradle.api.provider.Property;

/** The limits of a build script as options of the command line. */
final class LimitOptions {
  private LimitOptions() {}

  /** Returns the options that are set, with their values. */
  static Map<String, String> of(GateLimits limits) {
    Map<String, String> options = new TreeMap<>();
    for (Method method : GateLimits.class.getMethods()) {
      Object value = valueOf(limits, method);
      if (value != null) {
        options.put(option(method.getName()), value.toString());
      }
    }
    return options;
  }

  /** Returns {@code --max-pin} for {@code getMaxPin}. */
  private static String option(String getter) {
    return "-"
        + getter.substring("get".length()).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static Object valueOf(GateLimits limits, Method method) {
    try {
      return ((Property<?>) method.invoke(limits)).getOrNull();
    } catch (ReflectiveOperationException e) {
      throw new GradleException("vtdiag: cannot read " + method.getName(), e);
    }
  }
}
