package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.ClassFile.Method;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The safety rules, in the order in which they are asked: the user is told the first that refuses a
 * lock. A new rule is a method here (or a class beside this one, if it is longer) with its place in
 * {@link #ALL}. It gets a {@link RefusalReason} of its own if no existing one says it.
 */
final class Rules {
  static final List<Rule> ALL =
      List.of(
          Rules::classOfTheProgram,
          Rules::pairedMonitors,
          Rules::oneKnownObject,
          Rules::noNativeMethod,
          Rules::knownSuperclasses,
          Rules::notLockedByTheJdk,
          Rules::confinedField,
          new UnseenClients(),
          Rules::classWithPrivateFields,
          Serialization::fieldOfSerializable,
          Rules::roomForALockField,
          new UnattributedLocks(),
          MethodReferences::refuse,
          Rules::oneOwner,
          Serialization::instanceOfSerializable,
          Serialization::defaultSerialVersion,
          Serialization::staticFieldOfSerializable,
          WithoutConstructor::refuse,
          Cloning::refuse,
          new InitializationOrder(),
          new ClassInitialization(),
          ReflectedFields::refuse,
          ReflectedMethods::refuse,
          (lock, program) -> program.recursion().refuse(lock),
          new UnreadClasses(),
          Rules::writtenSources,
          Rules::callersOfOneOwner);

  private Rules() {}

  private static Optional<Refusal> classOfTheProgram(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.ClassObject of)
        || program.hierarchy().type(of.type()).isPresent()) {
      return Optional.empty();
    }
    if (of.type().startsWith("[") || of.type().endsWith("]")) {
      return Refusal.of(
          RefusalReason.JDK_CODE, "the JDK makes the class of an array and may lock it too");
    }
    return program.hierarchy().isKnown(of.type())
        ? Refusal.of(
            RefusalReason.JDK_CODE,
            ShortNames.simple(of.type()) + ".class belongs to the JDK, which may lock it too")
        : Refusal.of(
            RefusalReason.CLASS_UNKNOWN,
            "the class file of " + of.type().replace('/', '.') + " was not found");
  }

  private static Optional<Refusal> pairedMonitors(LockGroup lock, WholeProgram program) {
    for (MonitorSite site : lock.sites()) {
      if (!site.exact()) {
        return Refusal.of(
            RefusalReason.UNSTRUCTURED,
            site.use().where() + " does not enter and exit its monitors in pairs");
      }
      if (site.site().method().equals("<clinit>")) {
        return Refusal.of(
            RefusalReason.CLASS_INITIALIZER,
            "it is locked in the class initializer of "
                + ShortNames.simple(site.use().method.owner()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> oneKnownObject(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.Unmovable none
        ? Refusal.of(none.rung(), none.reason())
        : Optional.empty();
  }

  private static Optional<Refusal> noNativeMethod(LockGroup lock, WholeProgram program) {
    TypeHierarchy hierarchy = program.hierarchy();
    return switch (lock) {
      case LockGroup.Instances of -> nativeMethod(hierarchy.subtree(of.top()), false, hierarchy);
      case LockGroup.ClassObject of -> nativeMethod(Set.of(of.type()), true, hierarchy);
      case LockGroup.OfField of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  /** Finds the first native synchronized method of some classes. */
  static Optional<Refusal> nativeMethod(
      Set<String> types, boolean isStatic, TypeHierarchy hierarchy) {
    for (String name : types) {
      for (Method method : hierarchy.type(name).map(ClassFile::methods).orElse(Map.of()).values()) {
        if (method.has(ACC_NATIVE)
            && method.has(ACC_SYNCHRONIZED)
            && method.has(ACC_STATIC) == isStatic) {
          return Refusal.of(
              RefusalReason.NATIVE_METHOD,
              ShortNames.text(method.name()) + " is native and synchronized");
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> knownSuperclasses(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.Instances of
        ? unknownAncestor(of.top(), program.hierarchy())
        : Optional.empty();
  }

  /** Finds the first superclass that is not at hand. */
  static Optional<Refusal> unknownAncestor(String type, TypeHierarchy hierarchy) {
    for (String at = type; at != null; at = hierarchy.superName(at)) {
      if (!hierarchy.isKnown(at)) {
        return Refusal.of(
            RefusalReason.CLASS_UNKNOWN,
            ShortNames.simple(type)
                + " extends "
                + at.replace('/', '.')
                + ", whose class file was not found and which may lock it too");
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> notLockedByTheJdk(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.Instances of)) {
      return Optional.empty();
    }
    return program
        .hierarchy()
        .lockingJdkAncestor(of.top())
        .flatMap(
            jdk ->
                Refusal.of(
                    RefusalReason.JDK_LOCKS,
                    jdk.equals(of.top().replace('/', '.'))
                        ? jdk + " is code of the JDK"
                        : ShortNames.simple(of.top())
                            + " extends "
                            + jdk
                            + ", whose own methods lock the same object"));
  }

  private static Optional<Refusal> confinedField(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.OfField of
            && program.confinement().verdict(of.field())
                instanceof Confinement.Verdict.Leaks(RefusalReason rung, String reason)
        ? Refusal.of(rung, reason)
        : Optional.empty();
  }

  private static Optional<Refusal> classWithPrivateFields(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.ClassObject of && program.hierarchy().isInterface(of.type())
        ? Refusal.of(
            RefusalReason.INTERFACE,
            ShortNames.simple(of.type()) + " is an interface and cannot have a private lock field")
        : Optional.empty();
  }

  private static Optional<Refusal> roomForALockField(LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.Instances of when isRecord(of.top(), program) ->
          Refusal.of(
              RefusalReason.RECORD,
              ShortNames.simple(of.top()) + " is a record and cannot have a lock field");
      case LockGroup.OfField(Field field, var sites, var calls)
          when !field.isStatic()
              && isRecord(field.name().owner(), program)
              && program.confinement().verdict(field)
                  instanceof Confinement.Verdict.Confined(Lock.Keeper keeper)
              && keeper == Lock.Keeper.NEW_FIELD ->
          Refusal.of(
              RefusalReason.RECORD,
              ShortNames.simple(field.name().owner())
                  + " is a record and cannot have a lock field");
      case LockGroup.Instances of -> Optional.empty();
      case LockGroup.ClassObject of -> Optional.empty();
      case LockGroup.OfField of -> Optional.empty();
      case LockGroup.OfVariable of -> Optional.empty();
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  private static boolean isRecord(String type, WholeProgram program) {
    return program.hierarchy().type(type).orElseThrow().isRecord();
  }

  private static Optional<Refusal> oneOwner(LockGroup lock, WholeProgram program) {
    Optional<ClassFile> holder = holder(lock, program);
    for (MonitorSite site : lock.sites()) {
      if (holder.isPresent() && !owner(site.use().type).equals(owner(holder.get()))) {
        return Refusal.of(
            RefusalReason.SEVERAL_OWNERS,
            // The site may be that of the finding itself, which locks an object of a library.
            ShortNames.simple(holder.get().name())
                + " belongs to "
                + owner(holder.get())
                + ", and "
                + site.use().where()
                + ", which locks it, to "
                + owner(site.use().type));
      }
    }
    return Optional.empty();
  }

  private static Optional<ClassFile> holder(LockGroup lock, WholeProgram program) {
    return switch (lock) {
      case LockGroup.Instances of -> program.hierarchy().type(of.top());
      case LockGroup.ClassObject of -> program.hierarchy().type(of.type());
      case LockGroup.OfField of -> program.hierarchy().type(of.field().name().owner());
      case LockGroup.OfVariable of -> program.hierarchy().type(of.method().owner());
      case LockGroup.Unmovable none -> Optional.empty();
    };
  }

  static String owner(ClassFile type) {
    return switch (type.owner()) {
      case Owner.Application application -> "the application";
      case Owner.Library library -> library.coordinates().text();
      case Owner.Jdk jdk -> "the JDK";
      case Owner.UnknownJar jar -> jar.location();
    };
  }

  private static Optional<Refusal> writtenSources(LockGroup lock, WholeProgram program) {
    for (MonitorSite site : lock.sites()) {
      ClassFile type = site.use().type;
      if (type.has(ACC_SYNTHETIC)) {
        return Refusal.of(
            RefusalReason.NO_SOURCE, type.dotted() + " is generated and has no source");
      }
    }
    return Optional.empty();
  }

  private static Optional<Refusal> callersOfOneOwner(LockGroup lock, WholeProgram program) {
    for (WaitSite call : lock.calls()) {
      String owner = owner(call.use().type);
      if (!owner.equals(owner(lock.sites().getFirst().use().type))) {
        return Refusal.of(
            RefusalReason.SEVERAL_OWNERS,
            call.use().where() + " needs the monitor too and belongs to " + owner);
      }
    }
    return Optional.empty();
  }
}
