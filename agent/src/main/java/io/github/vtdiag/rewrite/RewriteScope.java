package io.github.vtdiag.rewrite;

import io.github.vtdiag.locksite.NamedSite;
import io.github.vtdiag.locksite.SitesFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The classes that are rewritten. A class is rewritten as a whole, even if only one of its methods
 * is named, because its methods share their locks.
 *
 * @param text as the user wrote it
 * @param auto whether a class need not be chosen
 * @param chosen the classes to rewrite, if {@code auto} is not given
 * @param left the classes that are left out although they would be rewritten
 * @param bins whether the bins of {@code ConcurrentHashMap} are rewritten, too
 * @param file the file that named the classes; the program may be another version than it is for
 */
public record RewriteScope(
    String text,
    boolean auto,
    List<NamedSite> chosen,
    List<NamedSite> left,
    boolean bins,
    Optional<SitesFile> file) {
  private static final String BINS = "concurrenthashmap";

  /**
   * Reads {@code auto}, patterns of class names with {@code :} between them, patterns to leave out
   * after a {@code !}, or {@code @FILE}; and {@code concurrenthashmap}, which nothing else implies.
   *
   * @throws IllegalArgumentException if it is none of these; the message says what is allowed
   */
  public static RewriteScope parse(String text) {
    if (text.startsWith("@")) {
      try {
        SitesFile file = SitesFile.read(text.substring(1));
        return new RewriteScope(text, false, file.sites(), List.of(), false, Optional.of(file));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("rewrite: " + e.getMessage(), e);
      }
    }
    List<NamedSite> chosen = new ArrayList<>();
    List<NamedSite> left = new ArrayList<>();
    boolean auto = false;
    boolean bins = false;
    for (String each : text.split(":", -1)) {
      if (each.startsWith("!")) {
        left.add(classes(each.substring(1)));
      } else if (each.equals("auto")) {
        auto = true;
      } else if (each.equals(BINS)) {
        bins = true;
      } else {
        chosen.add(classes(each));
      }
    }
    if (!auto && !bins && chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "rewrite names no class to rewrite; use auto, class names such as com.example.*, or"
              + " @FILE");
    }
    return new RewriteScope(text, auto, chosen, left, bins, Optional.empty());
  }

  private static NamedSite classes(String text) {
    try {
      NamedSite site = NamedSite.parse(text);
      if (site.method().isEmpty()) {
        return site;
      }
    } catch (IllegalArgumentException e) {
      // Reported by the one message below.
    }
    throw new IllegalArgumentException(
        "rewrite takes auto, class names such as com.example.*, or @FILE, not '" + text + "'");
  }

  /**
   * Returns whether every class of the application is rewritten; only then is it certain that no
   * other code locks the same objects.
   */
  public boolean all() {
    return auto && left.isEmpty();
  }

  /** Returns whether no class of the application is rewritten. */
  public boolean onlyBins() {
    return bins && !auto && chosen.isEmpty();
  }

  /**
   * Returns whether a class of the application is rewritten, by the name that {@code Class} gives
   * it.
   */
  public boolean has(String className) {
    return (auto || isIn(chosen, className)) && !isIn(left, className);
  }

  private static boolean isIn(List<NamedSite> names, String className) {
    return names.stream().anyMatch(name -> name.has(className));
  }

  /** Returns why a class file cannot be of the version that the file is for; empty if it can. */
  public Optional<String> mismatch(byte[] classFile) {
    return file.flatMap(from -> sentence(from, from.mismatches(classFile)));
  }

  /**
   * Returns why a program cannot be of the version that the file is for, as far as one of its
   * loaders shows; empty if it can. Nothing is loaded. A missing class may be another loader's,
   * unless this loader has its package.
   */
  public Optional<String> mismatch(ClassLoader loader) throws IOException {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    List<String> mismatches = new ArrayList<>();
    for (String type : types(file.get())) {
      String path = type.replace('.', '/');
      try (InputStream in = loader.getResourceAsStream(path + ".class")) {
        if (in != null) {
          mismatches.addAll(file.get().mismatches(in.readAllBytes()));
        } else if (hasClassesIn(path.substring(0, path.lastIndexOf('/') + 1), loader)) {
          mismatches.add(type + " is not on the class path");
        }
      }
    }
    return sentence(file.get(), mismatches);
  }

  /**
   * Returns whether the loader has a class of a package. Folders of that name are not enough: an
   * archive with a launcher inside may have them.
   *
   * @param folder ends with a slash if the package has a name
   */
  private static boolean hasClassesIn(String folder, ClassLoader loader) throws IOException {
    for (URL found : Collections.list(loader.getResources(folder))) {
      if (found.openConnection() instanceof JarURLConnection connection) {
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
          if (jar.stream().anyMatch(entry -> isClassIn(folder, entry.getName()))) {
            return true;
          }
        }
      } else if (found.getProtocol().equals("file")) {
        try (Stream<Path> files = Files.list(Path.of(URI.create(found.toString())))) {
          if (files.anyMatch(file -> file.toString().endsWith(".class"))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isClassIn(String folder, String entry) {
    return entry.startsWith(folder)
        && entry.endsWith(".class")
        && entry.indexOf('/', folder.length()) < 0;
  }

  private static Optional<String> sentence(SitesFile file, List<String> mismatches) {
    return mismatches.isEmpty() ? Optional.empty() : Optional.of(file.sentence(mismatches));
  }

  /**
   * Returns the classes that the file names and that are missing here, along with all classes
   * nested in them.
   */
  public List<String> notAmong(Collection<String> classNames) {
    return file.stream()
        .flatMap(from -> from.sites().stream())
        .filter(site -> !site.isPattern() && !classNames.contains(site.type()))
        .filter(site -> classNames.stream().noneMatch(site::has))
        .map(NamedSite::type)
        .distinct()
        .toList();
  }

  private static List<String> types(SitesFile file) {
    return file.sites().stream()
        .filter(site -> !site.isPattern())
        .map(NamedSite::type)
        .distinct()
        .toList();
  }
}
