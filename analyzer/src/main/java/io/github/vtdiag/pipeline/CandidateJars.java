package io.github.vtdiag.pipeline;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.upgrade.Releases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Versions of a library that the user named, by the version or else the file's name. */
record CandidateJars(String library, Map<String, LibraryClasses> jars) implements Releases {
  CandidateJars {
    jars = new LinkedHashMap<>(jars);
  }

  @Override
  public List<String> versions() {
    return new ArrayList<>(jars.keySet());
  }

  @Override
  public LibraryClasses classes(String version) throws DataException {
    return jars.get(version);
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
