package io.github.vtdiag.junit.inside;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.PinEpisode;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The lock maps of the classes of this JVM, from the bytes that their own loaders give. */
final class ClassesHere {
  private final Map<String, Optional<ClassMonitors>> read = new HashMap<>();

  /** The contents of jars, by location: a jar tells its coordinates wherever it is stored. */
  private final Map<String, JarContent> jars = new HashMap<>();

  /**
   * Returns the lock maps of classes on the stacks, except those of the JDK, which has its own
   * place.
   */
  synchronized List<ClassMonitors> of(List<PinEpisode> pins) {
    Set<String> names = new LinkedHashSet<>();
    for (PinEpisode pin : pins) {
      for (Frame frame : pin.stack().frames()) {
        if (!frame.type().isJdk()) {
          names.add(frame.type().name());
        }
      }
    }
    List<ClassMonitors> found = new ArrayList<>();
    names.forEach(name -> read.computeIfAbsent(name, this::read).ifPresent(found::add));
    return found;
  }

  /** Returns the place of a method: the line of its first call, or none if that is unknown. */
  synchronized StackTraceElement place(String type, String method) {
    Optional<ClassMonitors> known = read.computeIfAbsent(type, this::read);
    int line =
        known.stream()
            .flatMap(of -> of.methods().stream())
            .filter(of -> of.name().equals(method))
            .flatMap(of -> of.callSites().stream())
            .mapToInt(MethodMonitors.CallSite::line)
            .filter(number -> number > 0)
            .min()
            .orElse(-1);
    return new StackTraceElement(
        type, method, known.map(of -> of.type().file()).orElse(null), line);
  }

  private Optional<ClassMonitors> read(String name) {
    for (ClassLoader loader :
        new ClassLoader[] {
          Thread.currentThread().getContextClassLoader(), ClassesHere.class.getClassLoader()
        }) {
      try {
        Class<?> type = Class.forName(name, false, loader);
        String path = name.replace('.', '/') + ".class";
        try (InputStream in = type.getModule().getResourceAsStream(path)) {
          if (in != null) {
            String location = location(type);
            return Optional.of(
                LockMaps.read(
                        in.readAllBytes(),
                        new ClassRef(name, loaderName(type.getClassLoader())),
                        location,
                        ClassMonitors.Evidence.LOADED_CLASS)
                    .from(jars.computeIfAbsent(location, JarContents::of)));
          }
        }
      } catch (ClassNotFoundException | IOException | RuntimeException | LinkageError e) {
        // The class is of another loader, or one made in memory: the attribution says that its
        // locks are unknown.
      }
    }
    return Optional.empty();
  }

  /** Returns the name of a loader as in JFR. */
  private static String loaderName(ClassLoader loader) {
    if (loader == null) {
      return "";
    }
    String name = loader.getName();
    return name == null || name.isEmpty() ? loader.getClass().getName() : name;
  }

  private static String location(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null ? "" : source.getLocation().toString();
  }
}
