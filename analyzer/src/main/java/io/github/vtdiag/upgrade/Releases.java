package io.github.vtdiag.upgrade;

import io.github.vtdiag.model.DataException;
import java.util.List;

/** The versions of a library, from wherever they come. What cannot be had is one sentence. */
public interface Releases {
  /** The library's name, {@code group:artifact}; another one than asked for if it has moved. */
  String library();

  /** All versions there are, in any order. */
  List<String> versions() throws DataException;

  /** One of them. */
  Release release(String version) throws DataException;

  /** How many jars were fetched from elsewhere so far. */
  int downloads();

  /** What there is to say of how they were had, one sentence each. */
  List<String> notes();
}
