package vtdiag.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;
import vtdiag.advice.KnownFixes;
import vtdiag.analysis.Findings;
import vtdiag.model.DataException;
import vtdiag.pipeline.LibraryVersions;
import vtdiag.upgrade.Upgrade;

/** Which other versions of libraries a command may read. */
final class UpgradeOptions {
  @Option(
      names = "--candidate",
      paramLabel = "JAR",
      description =
          "Another version of a library that held monitors; repeatable. Its classes tell whether it"
              + " takes them too; nothing is run.")
  List<Path> candidates = List.of();

  /** What was read of them; nothing is if nothing was asked for. */
  List<Upgrade> read(
      Findings findings, List<String> classPath, KnownFixes fixes, Consumer<String> notes)
      throws DataException {
    if (candidates.isEmpty()) {
      return List.of();
    }
    return new LibraryVersions(findings, classPath, fixes, notes)
        .read(candidates, Optional.empty());
  }
}
