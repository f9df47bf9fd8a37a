package io.github.vtdiag.pipeline;

import io.github.vtdiag.program.LibraryJar;
import io.github.vtdiag.upgrade.Release;
import io.github.vtdiag.upgrade.Releases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Versions of a library that the user named, by the version or else the file's name. */
record CandidateJars(String library, Map<String, LibraryJar> jars) implements Releases {
  CandidateJars {
    jars = new LinkedHashMap<>(jars);
  }

  @Override
  public List<String> versions() {
    return new ArrayList<>(jars.keySet());
  }

  @Override
  public Release release(String version) {
    LibraryJar jar = jars.get(version);
    return new Release(library, jar.classes(), jar.written());
  }

  @Override
  public int downloads() {
    return 0;
  }

  @Override
  public List<String> notes() {
    return List.of();
  }
}
