package io.github.vtdiag.pipeline;

import io.github.vtdiag.advice.KnownFix;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.CauseSets;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.LibraryJar;
import io.github.vtdiag.upgrade.LibraryOnStacks;
import io.github.vtdiag.upgrade.MavenVersion;
import io.github.vtdiag.upgrade.Oracle;
import io.github.vtdiag.upgrade.Release;
import io.github.vtdiag.upgrade.Releases;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.UpgradeSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads other versions of the libraries that held monitors: jars named by hand, or releases. */
public final class LibraryVersions {

  /** The source of releases. */
  public interface Source {
    Releases of(Coordinates library) throws DataException;
  }

  private final List<String> classPath;
  private final KnownFixes fixes;
  private final Consumer<String> problems;
  private final Consumer<String> notes;
  private final int jdk;
  private final CauseSets sets;
  private final List<LibraryOnStacks> libraries;

  /**
   * @param classPath the jars and folders that ran, as the user names them
   * @param fixes their versions are read first
   * @param problems is told what could not be read
   * @param notes is told what is being read
   */
  public LibraryVersions(
      Findings findings,
      List<String> classPath,
      KnownFixes fixes,
      Consumer<String> problems,
      Consumer<String> notes) {
    this.classPath = List.copyOf(classPath);
    this.fixes = fixes;
    this.problems = problems;
    this.notes = notes;
    jdk = findings.jdk();
    sets = findings.sets();
    libraries = LibraryOnStacks.of(findings, finding -> !HarmlessPins.are(finding));
  }

  /**
   * Reads the versions, a library at a time.
   *
   * @param candidates jars that the user named
   * @param source for libraries without a candidate; empty to look nothing up
   */
  public List<Upgrade> read(List<Path> candidates, Optional<Source> source) {
    Map<LibraryOnStacks, Map<String, LibraryJar>> named = match(candidates);
    List<Upgrade> read = new ArrayList<>();
    for (LibraryOnStacks on : libraries) {
      if (named.containsKey(on)) {
        notes.accept("reading the candidates for " + on.library().text());
        Releases jars = new CandidateJars(on.library().name(), named.get(on));
        read.add(UpgradeSearch.readAll(on, running(on), jars).with(notes(on)));
      } else if (source.isPresent()) {
        notes.accept("reading other versions of " + on.library().text());
        read.add(search(on, source.get()).with(notes(on)));
      }
    }
    return read;
  }

  /**
   * Reads the versions that the list of known fixes names, if they are on this machine. Versions
   * are skipped if the list tells whether they are free of all monitors that were held.
   */
  public List<Upgrade> readListed(LocalJars local) {
    List<Upgrade> read = new ArrayList<>();
    for (LibraryOnStacks on : libraries) {
      Coordinates library = on.library();
      Optional<KnownFix> fix =
          on.held().stream()
              .flatMap(held -> fixes.of(library, held.className()).stream())
              .findFirst()
              .filter(line -> line.fixedIn().isPresent())
              .filter(line -> KnownFixes.isOlder(library, line.fixedIn().orElseThrow()))
              .filter(line -> !tellsAll(line, on));
      fix.flatMap(line -> readListed(on, line, local)).ifPresent(read::add);
    }
    return read;
  }

  private Optional<Upgrade> readListed(LibraryOnStacks on, KnownFix fix, LocalJars local) {
    String version = fix.fixedIn().orElseThrow();
    Optional<Path> jar =
        local.find(fix.group(), fix.artifact(), on.library(), version, on.locations());
    if (jar.isEmpty()) {
      return Optional.empty();
    }
    try {
      LibraryJar other = LibraryJar.read(jar.get(), jdk);
      if (other.classes().names().isEmpty()) {
        return Optional.empty();
      }
      notes.accept("reading " + jar.get());
      Oracle oracle = new Oracle(on, running(on).map(Release::classes));
      Release release = new Release(fix.library(), other.classes(), other.written());
      return Optional.of(Upgrade.atHand(on, oracle.check(version, release)));
    } catch (DataException e) {
      return Optional.empty(); // It was not asked for.
    }
  }

  /**
   * Returns whether a line names each monitor that was held, or one that was held with it in a run.
   */
  private boolean tellsAll(KnownFix fix, LibraryOnStacks on) {
    List<Site> held = on.held();
    List<Site> named =
        held.stream().filter(site -> fix.concerns(site.className(), site.method())).toList();
    return held.stream()
        .allMatch(
            site ->
                named.contains(site)
                    || (fix.ran() && named.stream().anyMatch(one -> sets.shareAStack(one, site))));
  }

  private Upgrade search(LibraryOnStacks on, Source source) {
    Coordinates library = withGroup(on);
    if (library.group().isEmpty()) {
      return Upgrade.failed(
          on,
          "the jar of "
              + library.text()
              + " does not tell its group id, so its versions cannot be looked up; name newer jars"
              + " with --candidate");
    }
    if (library.version().isEmpty() || !MavenVersion.isOne(library.version())) {
      return Upgrade.failed(
          on,
          "the jar of "
              + library.name()
              + (library.version().isEmpty()
                  ? " does not tell its version"
                  : " tells no single version (" + library.version() + ")")
              + ", so nothing tells which are newer; name newer jars with --candidate");
    }
    Releases releases;
    try {
      releases = source.of(library);
    } catch (DataException e) {
      return Upgrade.failed(on, e.getMessage());
    }
    Optional<Release> ran = running(on);
    int most = UpgradeSearch.MOST;
    if (ran.isEmpty()) {
      try {
        ran = Optional.of(releases.release(library.version()));
        most--;
      } catch (DataException e) {
        // Without it, new monitors cannot be told from old ones; the recorded ones can.
        notes.accept(e.getMessage());
      }
    }
    return UpgradeSearch.search(on, ran, releases, listed(library), most);
  }

  /** Completes a library whose jar does not tell its group id, if the list may have it. */
  private Coordinates withGroup(LibraryOnStacks on) {
    Coordinates library = on.library();
    return fixes.all().stream()
        .filter(fix -> library.group().isEmpty())
        .filter(
            fix ->
                on.held().stream()
                    .map(held -> held.className())
                    .anyMatch(type -> library.isLikely(fix.group(), fix.artifact(), type)))
        .findFirst()
        .map(
            fix ->
                new Coordinates(fix.group(), fix.artifact(), library.version(), library.evidence()))
        .orElse(library);
  }

  /** Returns the fixed version in the list, to be read early. */
  private Optional<String> listed(Coordinates library) {
    return fixes.all().stream()
        .filter(fix -> fix.library().equals(library.name()))
        .findFirst()
        .flatMap(KnownFix::fixedIn);
  }

  /** Returns the classes that ran, from the class path or from where they were loaded. */
  private Optional<Release> running(LibraryOnStacks on) {
    List<List<String>> places = new ArrayList<>();
    if (!classPath.isEmpty()) {
      places.add(classPath);
    }
    for (String location : on.locations()) {
      int nested = location.indexOf("!/");
      String file = nested < 0 ? location : location.substring(0, nested);
      if (!file.isEmpty() && Files.isRegularFile(Path.of(file))) {
        places.add(List.of(file));
      }
    }
    for (List<String> place : places) {
      try {
        LibraryJar found =
            LibraryJar.read(
                place,
                jdk,
                owner ->
                    owner instanceof Owner.Library(Coordinates library, String location)
                        && (isSameVersion(library, on.library())
                            || on.locations().contains(location)));
        if (!found.classes().names().isEmpty()) {
          return Optional.of(new Release(on.library().name(), found.classes(), found.written()));
        }
      } catch (DataException e) {
        // The findings report it already as unreadable.
      }
    }
    return Optional.empty();
  }

  private Map<LibraryOnStacks, Map<String, LibraryJar>> match(List<Path> candidates) {
    Map<LibraryOnStacks, Map<String, LibraryJar>> named = new LinkedHashMap<>();
    for (Path file : candidates) {
      LibraryJar jar;
      try {
        jar = LibraryJar.read(file, jdk);
      } catch (DataException e) {
        problems.accept(e.getMessage());
        continue;
      }
      List<LibraryOnStacks> matching = libraries.stream().filter(on -> isOf(jar, on)).toList();
      if (matching.isEmpty()) {
        problems.accept(
            file
                + " is no version of a library that held monitors in this recording; check"
                + " --candidate");
      }
      String version =
          jar.coordinates()
              .map(Coordinates::version)
              .filter(text -> !text.isEmpty())
              .orElse(file.getFileName().toString());
      matching.forEach(
          on -> named.computeIfAbsent(on, any -> new LinkedHashMap<>()).put(version, jar));
    }
    return named;
  }

  /** Returns whether it has the same name, or a class that held a monitor. */
  private static boolean isOf(LibraryJar jar, LibraryOnStacks on) {
    Set<String> classes = new HashSet<>();
    on.held().forEach(held -> classes.add(held.className()));
    return jar.coordinates()
            .filter(named -> named.artifact().equals(on.library().artifact()))
            .isPresent()
        || classes.stream().anyMatch(jar.classes().names()::contains);
  }

  /** Returns notes on anything odd in the library's place on the class path. */
  private List<String> notes(LibraryOnStacks on) {
    List<String> odd = new ArrayList<>();
    if (on.locations().size() > 1) {
      odd.add(
          on.library().text()
              + " was loaded from "
              + on.locations().size()
              + " jars ("
              + String.join(", ", on.locations())
              + "); leave one on the class path");
    }
    libraries.stream()
        .filter(other -> !other.equals(on) && isSameLibrary(other.library(), on.library()))
        .forEach(
            other ->
                odd.add(
                    "two versions of "
                        + on.library().name()
                        + " ran, "
                        + on.library().version()
                        + " and "
                        + other.library().version()
                        + "; leave one on the class path"));
    if (on.library().version().endsWith("-SNAPSHOT")) {
      odd.add(
          on.library().text()
              + " is a snapshot: what ran may be another build of it than the repository has");
    }
    return odd;
  }

  private static boolean isSameVersion(Coordinates one, Coordinates other) {
    return isSameLibrary(one, other) && one.version().equals(other.version());
  }

  private static boolean isSameLibrary(Coordinates one, Coordinates other) {
    return one.artifact().equals(other.artifact()) && one.group().equals(other.group());
  }
}
