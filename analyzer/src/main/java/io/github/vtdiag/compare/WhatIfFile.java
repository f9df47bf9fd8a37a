package io.github.vtdiag.compare;

import io.github.vtdiag.locksite.NamedSite;
import io.github.vtdiag.locksite.SitesFile;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.safety.Together;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks {@code --what-if FILE} against the program before it runs: what the file names must be
 * there, and all other sites of the same locks move too, which the agent alone cannot know.
 */
final class WhatIfFile {
  private static final int MOST = 10;

  private final SitesFile file;
  private final Program program;

  private WhatIfFile(SitesFile file, Program program) {
    this.file = file;
    this.program = program;
  }

  /**
   * Makes a list of all classes that have to be rewritten, for the agent.
   *
   * @param notes is told in one sentence what moves beside what is named
   * @throws DataException if the file and the program do not fit, or not all sites can be known
   */
  static Path check(String name, JavaCommand command, Consumer<String> notes) throws DataException {
    SitesFile file;
    try {
      file = SitesFile.read(name);
    } catch (IllegalArgumentException e) {
      throw new DataException(e.getMessage(), e);
    }
    Set<String> classes;
    try (Program program = read(command)) {
      WhatIfFile whatIf = new WhatIfFile(file, program);
      whatIf.checkThatItFits();
      classes = whatIf.together();
    }
    List<String> more = classes.stream().filter(type -> !file.has(type)).sorted().toList();
    if (!more.isEmpty()) {
      notes.accept(
          "--what-if: other classes take the same locks and are rewritten too: " + first(more));
    }
    return list(classes);
  }

  private static String first(List<String> names) {
    return names.stream().limit(MOST).collect(Collectors.joining(", "))
        + (names.size() > MOST ? ", and " + (names.size() - MOST) + " more" : "");
  }

  private static Program read(JavaCommand command) throws DataException {
    // Only the type hierarchy of the JDK's classes matters.
    return new Pipeline(command.classPath(), Optional.empty())
        .program(command.feature(), List.of(command.launch()));
  }

  /** Fails if the program is not the one that the file is about. */
  private void checkThatItFits() throws DataException {
    Set<String> locking =
        program.lockMaps(file::has).stream()
            .filter(
                type ->
                    type.methods().stream()
                        .anyMatch(method -> !method.regions().isEmpty() || !method.exact()))
            .map(type -> type.type().name())
            .collect(Collectors.toSet());
    Set<String> names = new LinkedHashSet<>(program.classNames());
    if (names.stream().noneMatch(file::has)) {
      throw new DataException(
          "'"
              + file.name()
              + "' does not match the program: none of its classes is on the class path ("
              + first(file.sites().stream().map(NamedSite::type).distinct().toList())
              + "); check -cp or -jar, or make a new report");
    }
    List<String> mismatches = new ArrayList<>();
    for (NamedSite site : file.sites()) {
      if (!site.isPattern() && !names.contains(site.type())) {
        add(mismatches, site.type() + " is not on the class path");
      } else if (site.method().isEmpty() && locking.stream().noneMatch(site::has)) {
        add(mismatches, site.type() + " takes no monitor");
      }
    }
    program.hierarchy().types().stream()
        .filter(type -> file.has(type.dotted()))
        .forEach(type -> mismatches.addAll(file.mismatches(type.bytes())));
    if (!mismatches.isEmpty()) {
      throw new DataException(file.sentence(mismatches));
    }
  }

  private static void add(List<String> mismatches, String mismatch) {
    if (!mismatches.contains(mismatch)) {
      mismatches.add(mismatch);
    }
  }

  private Set<String> together() throws DataException {
    return switch (new LockSafety(program).together(file::has)) {
      case Together.Classes classes -> classes.names();
      case Together.Unknown unknown ->
          throw new DataException(
              "'"
                  + file.name()
                  + "' cannot be tried on its own: "
                  + unknown.reason()
                  + ", so other code may take the same locks; use --what-if auto, which rewrites"
                  + " everything");
    };
  }

  private static Path list(Set<String> classes) throws DataException {
    try {
      Path list = Files.createTempFile("vtdiag-what-if", ".txt");
      list.toFile().deleteOnExit();
      return Files.write(list, new TreeSet<>(classes));
    } catch (IOException e) {
      throw new DataException(
          "cannot write to the folder for temporary files: " + e.getMessage(), e);
    }
  }
}
