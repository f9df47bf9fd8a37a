package io.github.vtdiag.upgrade;

import io.github.vtdiag.model.DataException;
import java.util.List;

/**
 * The versions of a library, from wherever they come. An unavailable one is reported in one
 * sentence.
 */
public interface Releases {
  /**
   * Returns the library's name, {@code group:artifact}; another one than asked for if it has moved.
   */
  String library();

  /** Returns all versions, in any order. */
  List<String> versions() throws DataException;

  /** Returns one of the versions. */
  Release release(String version) throws DataException;

  /** Returns the number of jars fetched from elsewhere so far. */
  int downloads();

  /** Returns notes on how they were obtained, one sentence each. */
  List<String> notes();
}
