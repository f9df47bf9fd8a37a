package io.github.vtdiag.program;

import io.github.vtdiag.program.Coordinates.Evidence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
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
        .orElseGet(() -> byPath(path, className));
  }

  /**
   * The jars on this machine among the places that classes were loaded from, as far as they are
   * files of their own.
   */
  List<JarOwners.Candidate> candidates(Collection<String> locations) {
    List<JarOwners.Candidate> candidates = new ArrayList<>();
    for (String path :
        new LinkedHashSet<>(locations.stream().map(CodeLocations::plainPath).toList())) {
      if (!path.contains("!/") && isArchive(path)) {
        jars.computeIfAbsent(path, p -> identity(p, p, ""))
            .map(jar -> new JarOwners.Candidate(path, jar, name -> isIn(path, name)))
            .ifPresent(candidates::add);
      }
    }
    return candidates;
  }

  private static boolean isIn(String path, String className) {
    try (ZipBytes zip = ZipBytes.open(Path.of(path))) {
      return zip.has(className.replace('.', '/') + ".class");
    } catch (IOException e) {
      return false;
    }
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

  private static Owner byPath(String path, String className) {
    if (className.startsWith(JarIdentity.BOOT_LOADER) && !path.contains("!/")) {
      return new Owner.Library(
          new Coordinates("org.springframework.boot", "spring-boot-loader", "", Evidence.MANIFEST),
          path);
    }
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
