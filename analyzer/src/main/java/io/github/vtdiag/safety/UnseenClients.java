package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;

import io.github.vtdiag.model.Article;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.Assumptions.Clients;
import java.util.Optional;

/**
 * Refuses a lock that code outside the class path may take, if such code uses these classes. It may
 * lock anything that it can name or get hold of: instances and class objects of public classes,
 * instances that it knows as something public, and fields that it can read. Code in the library's
 * own packages counts as seen.
 *
 * <p>The remaining locks are taken in one package only, so that no new field has to be wider than
 * that.
 */
final class UnseenClients implements Rule {
  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return program.assumptions().clients() == Clients.NONE
        ? Optional.empty()
        : reach(lock, program.hierarchy());
  }

  private static Optional<Refusal> reach(LockGroup lock, TypeHierarchy hierarchy) {
    return switch (lock) {
      case LockGroup.Instances of ->
          hierarchy.subtree(of.top()).stream()
              .flatMap(type -> instances(type, hierarchy).stream())
              .findFirst();
      case LockGroup.ClassObject of ->
          isPublic(of.type(), hierarchy)
              ? refusal(
                  RefusalReason.UNSEEN_CLIENTS, ShortNames.simple(of.type()) + ".class is public")
              : Optional.empty();
      case LockGroup.OfField of -> field(of.field(), hierarchy);
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  private static Optional<Refusal> instances(String type, TypeHierarchy hierarchy) {
    if (isPublic(type, hierarchy)) {
      return refusal(RefusalReason.UNSEEN_CLIENTS, ShortNames.simple(type) + " is public");
    }
    return hierarchy.ancestors(type).stream()
        .filter(above -> !above.equals(type) && !above.equals(TypeHierarchy.OBJECT))
        .filter(above -> isPublic(above, hierarchy))
        .findFirst()
        .flatMap(
            above ->
                refusal(
                    RefusalReason.UNSEEN_CLIENTS,
                    ShortNames.simple(type)
                        + " is "
                        + Article.with(ShortNames.simple(above))
                        + " to it"));
  }

  private static Optional<Refusal> field(Field field, TypeHierarchy hierarchy) {
    if (field.has(ACC_PRIVATE) || !(field.has(ACC_PUBLIC) || field.has(ACC_PROTECTED))) {
      return Optional.empty();
    }
    return hierarchy.subtree(field.name().owner()).stream()
            .anyMatch(type -> isPublic(type, hierarchy))
        ? refusal(RefusalReason.NOT_PRIVATE, "it can read " + ShortNames.text(field.name()))
        : Optional.empty();
  }

  private static Optional<Refusal> refusal(RefusalReason rung, String why) {
    return Refusal.of(rung, "code outside the class path may lock it too: " + why);
  }

  /**
   * Returns whether a type is public. Protected nested classes are public in their class files, and
   * count as public.
   */
  private static boolean isPublic(String type, TypeHierarchy hierarchy) {
    Optional<ClassFile> known = hierarchy.type(type);
    return known.isEmpty() || known.get().has(ACC_PUBLIC);
  }
}
