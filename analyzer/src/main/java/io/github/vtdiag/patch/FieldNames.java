package io.github.vtdiag.patch;

import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.KotlinFile;
import io.github.vtdiag.source.SourceFile;
import io.github.vtdiag.source.SourceFolders;
import io.github.vtdiag.source.SourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Picks unused names for new fields and variables. */
final class FieldNames {
  private final SourceFolders sources;

  /** Names of new fields, by the type that has them. */
  private final Map<SourceType, Set<String>> taken = new HashMap<>();

  private final Map<KotlinFile, Map<String, List<KotlinFile.Type>>> takenInKotlin = new HashMap<>();

  FieldNames(SourceFolders sources) {
    this.sources = sources;
  }

  /** Returns the name of the lock field; the old name if an existing field becomes the lock. */
  String ofLock(Lock lock, LockOwner owner, Set<SourceFile> files) {
    if (owner.inPlace()) {
      return owner.field().orElseThrow().getVariable(0).getNameAsString();
    }
    return field(
        switch (lock.identity()) {
          case Identity.Instances of ->
              List.of("lock", "instanceLock", "reentrantLock", "instanceReentrantLock");
          case Identity.ClassObject of ->
              List.of("LOCK", "CLASS_LOCK", "REENTRANT_LOCK", "CLASS_REENTRANT_LOCK");
          case Identity.LocalVariable of -> throw DeclinedException.missing(of);
          case Identity.StaticField of -> companions(of.name());
          case Identity.InstanceField of -> companions(of.name());
        },
        owner.type(),
        files);
  }

  /**
   * Returns the name of a new property in Kotlin, by preference: none that is used where it is
   * visible.
   */
  String ofKotlin(List<String> wished, KotlinFile file, KotlinFile.Type visible) {
    Map<String, List<KotlinFile.Type>> ofFile =
        takenInKotlin.computeIfAbsent(file, key -> new HashMap<>());
    String name =
        first(
            wished,
            candidate ->
                !file.uses(candidate, visible)
                    && ofFile.getOrDefault(candidate, List.of()).stream()
                        .noneMatch(other -> other.has(visible) || visible.has(other)));
    ofFile.computeIfAbsent(name, key -> new ArrayList<>()).add(visible);
    return name;
  }

  /** Returns the name of the condition of a lock. */
  String ofCondition(String lock, LockOwner owner, Set<SourceFile> files) {
    return field(
        switch (lock) {
          case "lock" -> List.of("condition", "lockCondition");
          case "LOCK" -> List.of("CONDITION", "LOCK_CONDITION");
          default -> List.of(isConstant(lock) ? lock + "_CONDITION" : lock + "Condition");
        },
        owner.type(),
        files);
  }

  /** Returns the name of a local variable that holds a lock. */
  String ofVariable(SourceFile file) {
    return ofVariable(file, "held", "heldLock");
  }

  /** Returns the name of a local variable, by preference. */
  String ofVariable(SourceFile file, String... wished) {
    return first(List.of(wished), file.names::add);
  }

  /**
   * Returns names for a new lock beside a field. If the field is called a lock already, they say
   * which kind the new one is.
   */
  static List<String> companions(String fieldName) {
    if (isConstant(fieldName)) {
      String plain = fieldName.replaceFirst("_?LOCK$", "");
      return plain.isEmpty()
          ? List.of("REENTRANT_LOCK")
          : plain.equals(fieldName)
              ? List.of(plain + "_LOCK", plain + "_REENTRANT_LOCK")
              : List.of(plain + "_REENTRANT_LOCK");
    }
    String plain = fieldName.replaceFirst("(Lock|^lock)$", "");
    return plain.isEmpty()
        ? List.of("reentrantLock")
        : plain.equals(fieldName)
            ? List.of(plain + "Lock", plain + "ReentrantLock")
            : List.of(plain + "ReentrantLock");
  }

  private static boolean isConstant(String fieldName) {
    return fieldName.equals(fieldName.toUpperCase(Locale.ROOT));
  }

  /** Returns a name that neither collides with another nor hides one or is hidden. */
  private String field(List<String> wished, SourceType owner, Set<SourceFile> files) {
    Set<String> ofOwner = taken.computeIfAbsent(owner, type -> new HashSet<>());
    String name =
        first(
            wished,
            candidate ->
                !ofOwner.contains(candidate)
                    && !owner.file.names.contains(candidate)
                    && files.stream().noneMatch(file -> file.names.contains(candidate))
                    && (owner.simpleName.isEmpty()
                        || !sources.usedWith(owner.simpleName, candidate)));
    ofOwner.add(name);
    return name;
  }

  /** Returns the first free candidate, else the first with the lowest number appended. */
  private static String first(List<String> wished, Predicate<String> isFree) {
    for (int number = 1; ; number++) {
      for (String wish : wished) {
        String candidate = number == 1 ? wish : wish + number;
        if (isFree.test(candidate)) {
          return candidate;
        }
      }
    }
  }
}
