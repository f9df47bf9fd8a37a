package io.github.vtdiag.program;

import io.github.vtdiag.owner.JarOwners;
import io.github.vtdiag.owner.Owner;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Optional;

/** The place of a class file, which is read as often as its bytes are needed. */
sealed interface ClassSource {
  byte[] read() throws IOException;

  /**
   * Returns the name of the class file: its class's name with dots, if the file is where it
   * belongs.
   */
  String name();

  String location();

  Owner owner();

  /** Returns the day on which it was written, if a jar tells. */
  Optional<LocalDate> written();

  /** A class file in memory. */
  record InMemory(ClassBytes classBytes) implements ClassSource {
    @Override
    public byte[] read() {
      return classBytes.bytes();
    }

    @Override
    public String name() {
      return "";
    }

    @Override
    public String location() {
      return classBytes.location();
    }

    @Override
    public Owner owner() {
      return classBytes.owner();
    }

    @Override
    public Optional<LocalDate> written() {
      return Optional.empty();
    }
  }

  /**
   * A class file in a jar or a directory.
   *
   * @param entry the path in it
   * @param jarOwners tells which code is the application's own
   */
  record InRoot(ClassRoot root, String name, String entry, JarOwners jarOwners)
      implements ClassSource {
    @Override
    public byte[] read() throws IOException {
      return root.read(entry);
    }

    @Override
    public String location() {
      return root.location();
    }

    @Override
    public Owner owner() {
      return jarOwners.of(root.owner(name), name);
    }

    @Override
    public Optional<LocalDate> written() {
      return root instanceof ClassRoot.Jar jar ? jar.zip().written(entry) : Optional.empty();
    }
  }
}
