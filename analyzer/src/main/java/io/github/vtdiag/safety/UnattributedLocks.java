package io.github.vtdiag.safety;

import io.github.vtdiag.program.TypeHierarchy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Refuses a lock whose objects may be locked by unattributed code: code that locks a parameter, the
 * result of a call, or an element of a collection. The user may know better.
 */
final class UnattributedLocks implements Rule {
  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    Aliasing aliasing = program.aliasing();
    return switch (lock) {
      case LockGroup.Instances of -> {
        Set<String> tree = program.hierarchy().subtree(of.top());
        yield isNotShared(of.top(), program)
            ? Optional.empty()
            : refuse(
                program,
                use -> use.declared.stream().anyMatch(type -> aliasing.mayHold(type, tree)),
                pointee -> aliasing.mayBeIn(pointee, tree),
                "an instance of " + ShortNames.simple(of.top()));
      }
      case LockGroup.ClassObject of ->
          isNotShared(of.type(), program)
              ? Optional.empty()
              : refuse(
                  program,
                  use -> use.declared.stream().anyMatch(aliasing::mayHoldClassObject),
                  pointee -> aliasing.mayBeClassObject(pointee, of.type()),
                  ShortNames.simple(of.type()) + ".class");
      case LockGroup.OfField of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  /** Returns whether the user says that the class, or one above it, is not shared. */
  private static boolean isNotShared(String type, WholeProgram program) {
    Set<String> notShared = program.assumptions().notShared();
    TypeHierarchy hierarchy = program.hierarchy();
    for (String at = type; at != null && !notShared.isEmpty(); at = hierarchy.superName(at)) {
      if (notShared.contains(at.replace('/', '.'))) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param canBe tests the declared type alone, which rules most out
   */
  private static Optional<Refusal> refuse(
      WholeProgram program, Predicate<MonitorUse> canBe, Predicate<Pointee> may, String object) {
    List<MonitorUse> inTheWay =
        program.uses().strays().stream()
            .filter(stray -> !isTrusted(stray, program))
            .filter(stray -> canBe.test(stray) && stray.pointees().stream().anyMatch(may))
            .toList();
    return inTheWay.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                RefusalReason.MAY_BE_SHARED,
                inTheWay.getFirst().where() + " may lock " + object,
                inTheWay.stream().map(UnattributedLocks::site).distinct().toList()));
  }

  private static boolean isTrusted(MonitorUse stray, WholeProgram program) {
    return program.assumptions().trustedSites().stream()
        .anyMatch(trusted -> trusted.text().equals(site(stray)));
  }

  private static String site(MonitorUse stray) {
    return stray.type.dotted() + "#" + stray.method.name();
  }
}
