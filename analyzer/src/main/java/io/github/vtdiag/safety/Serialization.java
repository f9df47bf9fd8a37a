package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_PRIVATE;

import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules on serialized objects: they would have no lock, or another version. */
final class Serialization {
  private static final String EXTERNALIZABLE = "java/io/Externalizable";

  private Serialization() {}

  static Optional<Refusal> fieldOfSerializable(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.OfField of)
        || of.field().isStatic()
        || !isSerializable(of.field().name().owner(), program.hierarchy())
        || isMadeByConstructor(of.field().name().owner(), program.hierarchy())) {
      return Optional.empty();
    }
    return Refusal.of(
        RefusalReason.SERIALIZABLE,
        ShortNames.simple(of.field().name().owner())
            + noLock(of.field().name().owner(), program.hierarchy())
            + " in "
            + of.field().name().name());
  }

  static Optional<Refusal> instanceOfSerializable(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.Instances of
            && isSerializable(of.top(), program.hierarchy())
            && !isMadeByConstructor(of.top(), program.hierarchy())
        ? Refusal.of(
            RefusalReason.SERIALIZABLE,
            ShortNames.simple(of.top()) + noLock(of.top(), program.hierarchy()))
        : Optional.empty();
  }

  private static String noLock(String type, TypeHierarchy hierarchy) {
    return hierarchy.isSubtype(type, EXTERNALIZABLE)
        ? " is Externalizable without a serialVersionUID: the default depends on the fields, such"
            + " as a new lock"
        : " is Serializable: a deserialized instance would have no lock";
  }

  static Optional<Refusal> defaultSerialVersion(LockGroup lock, WholeProgram program) {
    for (MonitorSite site : lock.sites()) {
      ClassFile type = site.use().type;
      if (site.site().region().kind() == MonitorRegion.Kind.METHOD
          && hasDefaultVersion(type, program.hierarchy())) {
        return Refusal.of(
            RefusalReason.SERIALIZABLE,
            ShortNames.simple(type.name())
                + " is Serializable without a serialVersionUID: the default depends on the"
                + " modifiers of "
                + site.site().method());
      }
    }
    return Optional.empty();
  }

  /**
   * Refuses a static lock that would change the default version of a Serializable class. A static
   * field counts in that version unless it is private, with its type. So do the class initializer
   * that assigns it, and the accessor that compilers before 11 made of a private one.
   */
  static Optional<Refusal> staticFieldOfSerializable(LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.ClassObject of ->
          staticField(of.type(), isUsedOnlyIn(of.type(), lock), program);
      case LockGroup.OfField of when of.field().isStatic() -> {
        String owner = of.field().name().owner();
        yield staticField(owner, of.field().has(ACC_PRIVATE) && isUsedOnlyIn(owner, lock), program);
      }
      case LockGroup.OfField of -> Optional.empty();
      case LockGroup.Instances of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  private static boolean isUsedOnlyIn(String owner, LockGroup lock) {
    return Stream.concat(
            lock.sites().stream().map(MonitorSite::use), lock.calls().stream().map(WaitSite::use))
        .allMatch(use -> use.type.name().equals(owner));
  }

  private static Optional<Refusal> staticField(
      String owner, boolean staysPrivate, WholeProgram program) {
    ClassFile type = program.hierarchy().type(owner).orElseThrow();
    if ((staysPrivate && type.methods().containsKey("<clinit>()V"))
        || !hasDefaultVersion(type, program.hierarchy())) {
      return Optional.empty();
    }
    return Refusal.of(
        RefusalReason.SERIALIZABLE,
        ShortNames.simple(owner)
            + " is Serializable without a serialVersionUID: a static lock would change the default;"
            + " first declare the one that serialver prints");
  }

  /**
   * Returns whether deserialization calls the constructor, which creates the lock: it does for an
   * Externalizable object. The new field still counts in the default version.
   */
  private static boolean isMadeByConstructor(String type, TypeHierarchy hierarchy) {
    return hierarchy.isSubtype(type, EXTERNALIZABLE)
        && hierarchy.type(type).orElseThrow().fields().containsKey("serialVersionUID");
  }

  /** Returns whether the version depends on the members; that of any record or enum is 0. */
  private static boolean hasDefaultVersion(ClassFile type, TypeHierarchy hierarchy) {
    return isSerializable(type.name(), hierarchy)
        && !type.isRecord()
        && !type.fields().containsKey("serialVersionUID");
  }

  private static boolean isSerializable(String type, TypeHierarchy hierarchy) {
    return hierarchy.isSubtype(type, "java/io/Serializable")
        && !hierarchy.isSubtype(type, "java/lang/Enum");
  }
}
