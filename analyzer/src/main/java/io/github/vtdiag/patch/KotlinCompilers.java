package io.github.vtdiag.patch;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.safety.Lock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the compiler of patched Kotlin files.
 *
 * @param named the user's choice; empty if there is none
 * @param language gives the version of Kotlin, such as 2.1, of a class by its binary name
 */
public record KotlinCompilers(Optional<String> named, Function<String, Optional<String>> language) {

  /** The finder that finds no compiler. */
  public static final KotlinCompilers NONE =
      new KotlinCompilers(Optional.empty(), className -> Optional.empty());

  /** Finds the compiler for these locks; empty if there is none, or none of them is in Kotlin. */
  Optional<KotlinCompiler> find(List<Lock> locks) throws DataException {
    Optional<Lock> first = locks.stream().filter(Lock::isInKotlin).findFirst();
    if (first.isEmpty()) {
      return Optional.empty();
    }
    return named.isPresent()
        ? Optional.of(KotlinCompiler.named(named.get()))
        : language
            .apply(first.get().sites().getFirst().type().name())
            .flatMap(KotlinCompiler::installed);
  }
}
