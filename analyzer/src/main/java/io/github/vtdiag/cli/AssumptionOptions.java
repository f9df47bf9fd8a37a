package io.github.vtdiag.cli;

import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Assumptions.Clients;
import io.github.vtdiag.safety.Assumptions.TrustedSite;
import io.github.vtdiag.safety.LockSafety;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The user's assumptions about the program that no class file shows. */
final class AssumptionOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--library",
      description =
          "Code that is not on the class path uses these classes: a lock that it could take stays"
              + " a monitor. Without this option the class path is the whole program.")
  private boolean library;

  @Option(
      names = "--trust-site",
      paramLabel = "CLASS#METHOD",
      description =
          "Assume that this method locks none of the objects whose locks move; repeatable.")
  private List<String> trustedSites = List.of();

  @Option(
      names = "--assume-not-shared",
      paramLabel = "CLASS",
      description = "Assume that only the known sites lock instances of this class; repeatable.")
  private List<String> notShared = List.of();

  /** Refuses assumptions about something that does not exist. */
  void check(LockSafety ladder) {
    Optional<String> unfounded = ladder.unfounded(assumptions());
    if (unfounded.isPresent()) {
      throw new ParameterException(spec.commandLine(), unfounded.get());
    }
  }

  Assumptions assumptions() {
    List<TrustedSite> trusted = new ArrayList<>();
    for (String site : trustedSites) {
      String[] parts = site.split("#", -1);
      if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
        throw new ParameterException(
            spec.commandLine(),
            "--trust-site " + site + " is not a method; write com.example.Cache#load");
      }
      trusted.add(new TrustedSite(parts[0], parts[1]));
    }
    return new Assumptions(
        library ? Clients.UNSEEN : Clients.NONE, trusted, new LinkedHashSet<>(notShared));
  }
}
