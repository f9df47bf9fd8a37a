package io.github.vtdiag.upgrade;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.program.LibraryClasses;
import java.util.List;

/** The versions of a library, from wherever they come. What cannot be had is one sentence. */
public interface Releases {
  /** The library's name, {@code group:artifact}; another one than asked for if it has moved. */
  String library();

  /** All versions there are, in any order. */
  List<String> versions() throws DataException;

  /** The classes of one of them. */
  LibraryClasses classes(String version) throws DataException;

  /** How many jars were fetched from elsewhere so far. */
  int downloads();

  /** What there is to say of how they were had, one sentence each. */
  List<String> notes();
}
