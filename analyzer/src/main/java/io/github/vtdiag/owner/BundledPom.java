package io.github.vtdiag.owner;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A library whose POM is in a jar, and the packages of the jar that may be its: those of the group
 * id, and more likely those where the artifact id's words follow. A build that bundled the library
 * may have put a package in front: {@code com.example.shaded.org.lib}.
 */
final class BundledPom {
  final Coordinates coordinates;
  private final List<String> group;
  private final List<String> words;

  /**
   * The words of old coordinates, whose group id is the artifact id: commons-dbcp of {@code
   * org.apache.commons.dbcp}. Empty for others, and for a single word, which any package may have.
   */
  private final List<String> repeated;

  /** Tells whether any package of the jar may be of this library. */
  final boolean hasPackages;

  /**
   * Tells whether the artifact id names packages of the jar: then no others are of this library.
   */
  private final boolean hasOwnPackages;

  BundledPom(Coordinates coordinates, List<List<String>> packages) {
    this.coordinates = coordinates;
    this.group = List.of(plain(coordinates.group()).split("\\.", -1));
    List<String> all = List.of(coordinates.artifact().toLowerCase(Locale.ROOT).split("[-_.]", -1));
    // Many artifact ids repeat the group's last word: netty-handler of io.netty.
    this.words = all.stream().filter(word -> !word.equals(group.getLast())).toList();
    this.repeated =
        coordinates.group().equals(coordinates.artifact()) && all.size() > 1 ? all : List.of();
    int most = packages.stream().mapToInt(this::found).max().orElse(0);
    this.hasPackages = most > 0;
    this.hasOwnPackages = !words.isEmpty() && most == full();
  }

  /** Returns how well a class's package fits; 0 if it does not. */
  int fit(String className) {
    int dot = className.lastIndexOf('.');
    int found = dot < 0 ? 0 : found(parts(className.substring(0, dot)));
    return hasOwnPackages && found < full() ? 0 : found;
  }

  /**
   * Returns whether the class's package has this library's, behind the package of the build that
   * bundled it.
   */
  boolean isMoved(String className) {
    int dot = className.lastIndexOf('.');
    List<String> parts = dot < 0 ? List.of() : parts(className.substring(0, dot));
    return group.size() > 1 && start(parts) > 0 && fit(className) > 0;
  }

  private int full() {
    return group.size() + words.size();
  }

  /**
   * Returns how many parts of a package are from the coordinates: none, those of the group id, or
   * all. The artifact id's words may follow one other: {@code io.netty.handler.codec.http} is
   * netty-codec-http.
   */
  private int found(List<String> parts) {
    if (!repeated.isEmpty() && Collections.indexOfSubList(parts, repeated) >= 0) {
      return full();
    }
    int start = start(parts);
    if (start < 0) {
      return 0;
    }
    int end = start + group.size();
    return follow(parts, end) || follow(parts, end + 1) ? full() : group.size();
  }

  /** Returns where the group id starts in a package; negative if it is not in it. */
  private int start(List<String> parts) {
    for (int start = parts.size() - group.size(); start >= 0; start--) {
      // A single word, like junit, may be part of any package.
      boolean mayStart = start == 0 || group.size() > 1;
      if (mayStart && parts.subList(start, start + group.size()).equals(group)) {
        return start;
      }
    }
    return -1;
  }

  private boolean follow(List<String> parts, int at) {
    return at + words.size() <= parts.size() && parts.subList(at, at + words.size()).equals(words);
  }

  /** Returns the parts of a package's name, as they are compared with those of group ids. */
  static List<String> parts(String packageName) {
    return Arrays.asList(plain(packageName).split("\\.", -1));
  }

  /**
   * Returns a name without hyphens, as no package has one: com.github.ben-manes is
   * com.github.benmanes.
   */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "");
  }
}
