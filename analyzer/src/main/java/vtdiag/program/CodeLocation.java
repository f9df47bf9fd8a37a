package vtdiag.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the JVM that was recorded loaded a class from, as a path or URL of that machine. */
final class CodeLocation {
  private static final Pattern URI_ESCAPE = Pattern.compile("(%[0-9A-Fa-f]{2})+");

  private CodeLocation() {}

  /**
   * Whose code a class is that was loaded from there. The jar is asked if it is on this machine
   * too, else its name is.
   */
  static Owner owner(String location, String className) {
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
    try (ZipBytes outer = ZipBytes.open(Path.of(file));
        ZipBytes jar = inner.isEmpty() ? null : outer.has(inner) ? outer.openNested(inner) : null) {
      if (inner.isEmpty() || jar != null) {
        return JarIdentity.of(jar == null ? outer : jar, path, 0).owner(className, path);
      }
    } catch (IOException | InvalidPathException e) {
      // Another machine's path: its name has to do.
    }
    return RepositoryPath.coordinates(path)
        .or(() -> RepositoryPath.fromName(path))
        .<Owner>map(coordinates -> new Owner.Library(coordinates, path))
        .orElse(new Owner.UnknownJar(path));
  }

  private static String plainPath(String location) {
    String path = location;
    for (String scheme : List.of("jar:", "nested:", "file:")) {
      if (path.startsWith(scheme)) {
        path = path.substring(scheme.length());
      }
    }
    if (!path.equals(location)) {
      path = URI_ESCAPE.matcher(path).replaceAll(CodeLocation::unescape);
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
