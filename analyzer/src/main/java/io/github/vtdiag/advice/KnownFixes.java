package io.github.vtdiag.advice;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.MavenVersion;
import io.github.vtdiag.upgrade.Upgrade;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The libraries that are known to pin, and the versions that no longer do. They come from the list,
 * and from reading the classes of other versions.
 */
public final class KnownFixes {
  static final String HEADER = "# vtdiag known fixes 1";

  private static final String RESOURCE = "known-fixes.tsv";
  private static final LineList FORMAT =
      new LineList(
          HEADER,
          "known fixes",
          List.of(
              "library", "last version seen to pin", "first version fixed", "holders", "evidence"));
  private static final Pattern NAME = Pattern.compile("[\\w.-]+");
  private static final Pattern HOLDER = Pattern.compile("[\\w$]+(\\.[\\w$<>]+)?");
  private static final String NONE = "-";
  private static final String ANY = "*";

  /** The beginning of the evidence where the fixed version was run. */
  private static final String RAN = "ran ";

  private final List<KnownFix> fixes;
  private final List<Upgrade> read;

  private KnownFixes(List<KnownFix> fixes, List<Upgrade> read) {
    this.fixes = List.copyOf(fixes);
    this.read = List.copyOf(read);
  }

  /** Reads the fixes that come with vtdiag. */
  public static KnownFixes load() {
    try {
      return parse(RESOURCE, LineList.resource(RESOURCE));
    } catch (DataException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a file of known fixes.
   *
   * @param source its name, for messages about a line that cannot be read
   */
  public static KnownFixes parse(String source, String text) throws DataException {
    List<KnownFix> fixes = new ArrayList<>();
    Set<String> libraries = new HashSet<>();
    for (LineList.Line line : FORMAT.read(source, text)) {
      KnownFix fix = parseLine(line.at(), line.columns());
      if (!libraries.add(fix.library())) {
        throw new DataException(
            line.at() + " names " + fix.library() + " again; put what is known into one line");
      }
      fixes.add(fix);
    }
    return new KnownFixes(fixes, List.of());
  }

  /** Returns these fixes and the given ones, which take precedence where both know a library. */
  public KnownFixes with(KnownFixes users) {
    return new KnownFixes(
        Stream.concat(
                users.fixes.stream(),
                fixes.stream()
                    .filter(
                        fix ->
                            users.fixes.stream()
                                .noneMatch(user -> user.library().equals(fix.library()))))
            .toList(),
        read);
  }

  /** Returns these fixes with the results of reading other versions. */
  public KnownFixes withRead(List<Upgrade> upgrades) {
    return new KnownFixes(fixes, upgrades);
  }

  /** Returns the results of reading other versions of libraries. */
  public List<Upgrade> read() {
    return read;
  }

  /** Returns the result of reading other versions of this library. */
  Optional<Upgrade> read(Coordinates library) {
    return read.stream().filter(upgrade -> upgrade.library().equals(library)).findFirst();
  }

  /** Returns all fixes on the list. */
  public List<KnownFix> all() {
    return fixes;
  }

  /**
   * Returns the known fix for this library's monitor.
   *
   * @param className the class that held the carrier
   * @param method its method
   */
  public Optional<KnownFix> about(Coordinates library, String className, String method) {
    return of(library, className).filter(fix -> fix.concerns(className, method));
  }

  /**
   * Returns the first version that is known to be fixed, if the library's is older.
   *
   * @param className a class of the library, the one that held the carrier
   * @param method its method
   */
  public Optional<String> fixedIn(Coordinates library, String className, String method) {
    return about(library, className, method)
        .flatMap(KnownFix::fixedIn)
        .filter(version -> isOlder(library, version));
  }

  /** Returns whether the library that ran is older than a version. */
  public static boolean isOlder(Coordinates library, String version) {
    return !library.version().isEmpty() && MavenVersion.compare(library.version(), version) < 0;
  }

  /** Returns the known fix for this library, whichever of its monitors that is about. */
  public Optional<KnownFix> of(Coordinates library, String className) {
    return fixes.stream()
        .filter(fix -> library.isLikely(fix.group(), fix.artifact(), className))
        .findFirst();
  }

  private static KnownFix parseLine(String at, List<String> columns) throws DataException {
    String[] names = columns.get(0).split(":", -1);
    if (names.length != 2
        || !NAME.matcher(names[0]).matches()
        || !NAME.matcher(names[1]).matches()) {
      throw new DataException(
          at + ": '" + columns.get(0) + "' is no library; write group:artifact");
    }
    Optional<String> fixedIn =
        columns.get(2).equals(NONE) ? Optional.empty() : Optional.of(version(at, columns.get(2)));
    String lastSeen = version(at, columns.get(1));
    if (fixedIn.isPresent() && MavenVersion.compare(lastSeen, fixedIn.get()) >= 0) {
      throw new DataException(
          at + ": it was seen to pin in " + lastSeen + ", so " + fixedIn.get() + " is no fix");
    }
    return new KnownFix(
        names[0],
        names[1],
        lastSeen,
        fixedIn,
        holders(at, columns.get(3)),
        columns.get(4).startsWith(RAN),
        columns.get(4));
  }

  private static String version(String at, String text) throws DataException {
    if (!NAME.matcher(text).matches() || !Character.isDigit(text.charAt(0))) {
      throw new DataException(at + ": '" + text + "' is no version; write one, or - for no fix");
    }
    return text;
  }

  private static List<KnownFix.Holder> holders(String at, String text) throws DataException {
    if (text.equals(ANY)) {
      return List.of();
    }
    List<KnownFix.Holder> holders = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      String holder = name.strip();
      if (!HOLDER.matcher(holder).matches()) {
        throw new DataException(
            at + ": '" + holder + "' is no holder; write Class or Class.method, or * for any");
      }
      int dot = holder.indexOf('.');
      holders.add(
          dot < 0
              ? new KnownFix.Holder(holder, "")
              : new KnownFix.Holder(holder.substring(0, dot), holder.substring(dot + 1)));
    }
    return holders;
  }
}
