package io.github.vtdiag.safety;

import io.github.vtdiag.program.UnreadClass;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses a lock that an unreadable class may take: such a class may lock any object that it can
 * get at. It cannot get at an object that only a private field has, unless it is in the same
 * package: nested classes are, and they use accessors that are open to it.
 */
final class UnreadClasses implements Rule {
  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return program.unread().stream()
        .filter(unread -> concerns(unread, lock, program))
        .findFirst()
        .flatMap(
            unread ->
                Refusal.of(RefusalReason.CLASS_UNKNOWN, unread.text() + ", and may lock it too"));
  }

  private static boolean concerns(UnreadClass unread, LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.Instances of -> true;
      case LockGroup.ClassObject of -> true;
      case LockGroup.OfField of -> {
        String owner = of.field().name().owner();
        // An unreadable superclass may be Serializable, for example.
        Set<String> above = program.hierarchy().ancestors(owner);
        yield unread.mayBeInPackageOf(owner.replace('/', '.'))
            || above.contains(unread.name().replace('.', '/'));
      }
      case LockGroup.OfVariable of -> false;
      case LockGroup.Unmovable none -> true;
    };
  }
}
