package io.github.vtdiag.cli;

import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.maven.MavenRepositories;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.pipeline.LibraryVersions;
import io.github.vtdiag.upgrade.Releases;
import io.github.vtdiag.upgrade.Upgrade;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the other versions of libraries that a command may read. */
final class UpgradeOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--upgrades",
      description =
          "Looks for versions of the libraries without these monitors, in your Maven repositories"
              + " as your settings.xml names them. At most 10 jars of a library are fetched.")
  boolean upgrades;

  @Option(
      names = "--offline",
      description = "With --upgrades: only from the local Maven repository.")
  private boolean offline;

  @Option(
      names = "--candidate",
      paramLabel = "JAR",
      description =
          "Another version of a library that held monitors; repeatable. Its classes tell whether it"
              + " takes them too; nothing is run.")
  List<Path> candidates = List.of();

  /** Refuses contradictions, before any work is done. */
  void check() {
    if (offline && !upgrades) {
      throw new ParameterException(
          spec.commandLine(), "--offline needs --upgrades: without it nothing is looked up");
    }
  }

  /**
   * Reads the other versions; none if none were asked for.
   *
   * @param problems is told what could not be read
   * @param notes is told what is being read
   */
  List<Upgrade> read(
      Findings findings,
      List<String> classPath,
      KnownFixes fixes,
      Consumer<String> problems,
      Consumer<String> notes) {
    if (candidates.isEmpty() && !upgrades) {
      return List.of();
    }
    int jdk = findings.jdk();
    return new LibraryVersions(findings, classPath, fixes, problems, notes)
        .read(
            candidates, upgrades ? Optional.of(new Repositories(offline, jdk)) : Optional.empty());
  }

  /** The user's repositories; nothing of Maven is loaded before the first library is asked for. */
  private static final class Repositories implements LibraryVersions.Source {
    private final boolean offline;
    private final int jdk;
    private MavenRepositories open;

    Repositories(boolean offline, int jdk) {
      this.offline = offline;
      this.jdk = jdk;
    }

    @Override
    public Releases of(Coordinates library) throws DataException {
      if (open == null) {
        open = MavenRepositories.open(offline, jdk);
      }
      return open.of(library);
    }
  }
}
