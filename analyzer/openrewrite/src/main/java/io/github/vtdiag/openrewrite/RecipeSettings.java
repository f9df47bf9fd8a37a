package io.github.vtdiag.openrewrite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The options of the recipe. */
public final class RecipeSettings {
  final Optional<String> recording;
  final List<String> sites;
  final List<String> classPath;
  final List<String> sources;
  final Optional<String> javaHome;
  private final Optional<String> jdk;
  private final boolean library;
  private final List<String> trustSites;
  private final List<String> assumeNotShared;
  private final List<String> processorPath;

  /** Takes the options; null for those that are not given. */
  public RecipeSettings(
      String recording,
      List<String> sites,
      List<String> classPath,
      List<String> sources,
      String jdk,
      Boolean library,
      List<String> trustSites,
      List<String> assumeNotShared,
      List<String> processorPath,
      String javaHome) {
    this.recording = given(recording);
    this.sites = list(sites);
    this.classPath = list(classPath);
    this.sources = list(sources);
    this.jdk = given(jdk);
    this.library = Boolean.TRUE.equals(library);
    this.trustSites = list(trustSites);
    this.assumeNotShared = list(assumeNotShared);
    this.processorPath = list(processorPath);
    this.javaHome = given(javaHome);
  }

  private static Optional<String> given(String option) {
    return Optional.ofNullable(option).filter(text -> !text.trim().isEmpty());
  }

  private static List<String> list(List<String> option) {
    return option == null ? Collections.emptyList() : new ArrayList<>(option);
  }

  /** Returns whether the locks are named, in one of the two ways. */
  public boolean namesLocks() {
    return recording.isPresent() == sites.isEmpty();
  }

  /** Returns the options that the command line takes as they are. */
  List<String> passedOn() {
    List<String> options = new ArrayList<>();
    jdk.ifPresent(
        version -> {
          options.add("--jdk");
          options.add(version);
        });
    if (library) {
      options.add("--library");
    }
    add(options, "--site", sites);
    add(options, "--trust-site", trustSites);
    add(options, "--assume-not-shared", assumeNotShared);
    add(options, "--processor-path", processorPath);
    return options;
  }

  private static void add(List<String> options, String name, List<String> values) {
    for (String value : values) {
      options.add(name);
      options.add(value);
    }
  }
}
