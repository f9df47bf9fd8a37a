package io.github.vtdiag.locksite;

import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The contents of the jars from which classes are loaded. Only the directory of a jar is read,
 * which the JVM that loads from it already has in memory.
 */
public final class JarContents {
  private static final Pattern URI_ESCAPE = Pattern.compile("(%[0-9A-Fa-f]{2})+");
  private static final Pattern ID = Pattern.compile("[\\w.-]{1,200}");
  private static final int HASH = 32;

  /** The longest {@code pom.properties} that is read; real ones are shorter. */
  private static final int LONGEST = 1 << 16;

  private JarContents() {}

  /** Returns the content of the jar, on this machine, from which classes are loaded. */
  public static JarContent of(String location) {
    String path = path(location);
    int nested = path.indexOf("!/");
    String file = nested < 0 ? path : path.substring(0, nested);
    try {
      if (!isArchive(file) || !Files.isRegularFile(Path.of(file))) {
        return JarContent.UNKNOWN;
      }
      try (ZipFile zip = new ZipFile(file)) {
        return new JarContent(hash(zip), nested < 0 ? coordinates(zip, file) : "");
      }
    } catch (IOException | RuntimeException e) {
      return JarContent.UNKNOWN; // Removed since, or nothing that the JDK can read.
    }
  }

  private static String hash(ZipFile zip) {
    MessageDigest digest = Sha256.digest();
    List<? extends ZipEntry> entries =
        zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList();
    ByteBuffer figures = ByteBuffer.allocate(2 * Long.BYTES);
    for (ZipEntry entry : entries) {
      digest.update(entry.getName().getBytes(StandardCharsets.UTF_8));
      digest.update(figures.clear().putLong(entry.getCrc()).putLong(entry.getSize()).array());
    }
    return Sha256.hex(digest).substring(0, HASH);
  }

  /**
   * Returns the coordinates; empty for a jar that bundles several libraries, or has another name.
   */
  private static String coordinates(ZipFile zip, String file) throws IOException {
    List<? extends ZipEntry> poms =
        zip.stream()
            .filter(entry -> entry.getName().startsWith("META-INF/maven/"))
            .filter(entry -> entry.getName().endsWith("/pom.properties"))
            .toList();
    if (poms.size() != 1) {
      return "";
    }
    Properties pom = new Properties();
    try (InputStream in = zip.getInputStream(poms.getFirst())) {
      pom.load(new ByteArrayInputStream(in.readNBytes(LONGEST)));
    }
    String group = pom.getProperty("groupId", "").strip();
    String artifact = pom.getProperty("artifactId", "").strip();
    String version = pom.getProperty("version", "").strip();
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    boolean known =
        ID.matcher(group).matches()
            && ID.matcher(artifact).matches()
            && ID.matcher(version).matches()
            && name.startsWith(artifact);
    return known ? group + ":" + artifact + ":" + version : "";
  }

  /** Returns the path without the scheme and the escapes of a URL. */
  public static String path(String location) {
    String path = location;
    for (String scheme : List.of("jar:", "nested:", "file:")) {
      if (path.startsWith(scheme)) {
        path = path.substring(scheme.length());
      }
    }
    if (!path.equals(location)) {
      path = URI_ESCAPE.matcher(path).replaceAll(JarContents::unescape);
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

  /** Returns whether a file's name is that of a jar. */
  public static boolean isArchive(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    return name.endsWith(".jar") || name.endsWith(".war") || name.endsWith(".zip");
  }
}
