package io.github.vtdiag.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whose code it is that the JVM loaded from a path or URL of the machine that was recorded. */
final class CodeLocations {
  private static final Pattern URI_ESCAPE = Pattern.compile("(%[0-9A-Fa-f]{2})+");

  private final Map<String, Optional<JarIdentity>> jars = new HashMap<>();

  /**
   * Whose code a class is that was loaded from there. The jar is asked if it is on this machine
   * too, else its path is.
   */
  Owner owner(String location, String className) {
    if (location.isEmpty()) {
      return new Owner.UnknownJar(location);
    }
    if (location.startsWith("jrt:")) {
      return new Owner.Jdk();
    }
    String path = plainPath(location);
    int nested = path.indexOf("!/");
    String file = nested < 0 ? path : path.substring(0, nested);
    String inner = nested < 0 ? "" : path.substring(nested + 2);
    if (inner.endsWith("INF/classes")) {
      return new Owner.Application(path);
    }
    if (inner.isEmpty() && !isArchive(file)) {
      return new Owner.Application(path);
    }
    return jars.computeIfAbsent(path, p -> identity(p, file, inner))
        .map(jar -> jar.owner(className, path))
        .orElseGet(() -> byPath(path));
  }

  private static Optional<JarIdentity> identity(String path, String file, String inner) {
    try (ZipBytes outer = ZipBytes.open(Path.of(file));
        ZipBytes jar = inner.isEmpty() ? null : outer.has(inner) ? outer.openNested(inner) : null) {
      return inner.isEmpty() || jar != null
          ? Optional.of(JarIdentity.of(jar == null ? outer : jar, path, 0))
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty(); // Another machine's path: it has to do.
    }
  }

  private static Owner byPath(String path) {
    return RepositoryPath.coordinates(path)
        .or(() -> RepositoryPath.fromName(path))
        .<Owner>map(coordinates -> new Owner.Library(coordinates, path))
        .orElse(new Owner.UnknownJar(path));
  }

  /** A path as such, without the scheme and the escapes of a URL. */
  static String plainPath(String location) {
    String path = location;
    for (String scheme : List.of("jar:", "nested:", "file:")) {
      if (path.startsWith(scheme)) {
        path = path.substring(scheme.length());
      }
    }
    if (!path.equals(location)) {
      path = URI_ESCAPE.matcher(path).replaceAll(CodeLocations::unescape);
      path = path.replaceFirst("^/+", "/");
    }
    // Spring Boot writes nested:/app.jar/!BOOT-INF/lib/x.jar!/
    path = path.replace("/!", "!/");
    while (path.endsWith("/") || path.endsWith("!")) {
      path = path.substring(0, path.length() - 1);
    }
    return path;
  }

  private static String unescape(MatchResult escaped) {
    byte[] bytes = HexFormat.of().parseHex(escaped.group().replace("%", ""));
    return Matcher.quoteReplacement(new String(bytes, StandardCharsets.UTF_8));
  }

  private static boolean isArchive(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return name.endsWith(".jar") || name.endsWith(".war") || name.endsWith(".zip");
  }
}
