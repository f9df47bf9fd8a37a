package io.github.vtdiag.maven;

import io.github.vtdiag.advice.KnownFix;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.LibraryOnStacks;
import io.github.vtdiag.upgrade.ListedHolders;
import io.github.vtdiag.upgrade.Oracle;
import io.github.vtdiag.upgrade.Release;
import io.github.vtdiag.upgrade.Releases;
import io.github.vtdiag.upgrade.Upgrade;
import io.github.vtdiag.upgrade.UpgradeSearch;
import io.github.vtdiag.upgrade.VersionCheck;
import java.util.Optional;

/**
 * The table in docs/advice.md#upgrades-is-another-version-free: for each line of the known fixes
 * the first free version by bytecode alone. It asks the user's Maven repositories, so no build runs
 * it.
 */
final class ListedFigures {
  private ListedFigures() {}

  public static void main(String[] arguments) throws DataException {
    MavenRepositories repositories = MavenRepositories.open(false, 21);
    for (KnownFix fix : KnownFixes.load().all()) {
      Coordinates ran = new Coordinates(fix.group(), fix.artifact(), fix.lastSeen());
      Release release = repositories.of(ran).release(fix.lastSeen());
      LibraryOnStacks on = ListedHolders.of(fix, release.classes());
      Releases releases = repositories.of(ran);
      Upgrade upgrade =
          UpgradeSearch.search(
              on, Optional.of(release), releases, Optional.empty(), UpgradeSearch.MOST);
      String listed = fix.fixedIn().orElse("none");
      System.out.printf(
          "| %s | %s | %d | %s | %s | %d |%n",
          fix.library(),
          fix.lastSeen(),
          on.held().size(),
          listed,
          upgrade.firstFree().orElse("none"),
          upgrade.checks().size());
      for (VersionCheck check : upgrade.checks()) {
        System.out.println("    " + check.version() + ": " + check.outcome());
      }
      upgrade.notes().forEach(note -> System.out.println("    " + note));
      if (fix.fixedIn().isPresent() && upgrade.check(listed).isEmpty()) {
        VersionCheck check =
            new Oracle(on, Optional.of(release.classes())).check(listed, releases.release(listed));
        System.out.println("    listed " + listed + ": " + check.outcome());
      }
    }
  }
}
