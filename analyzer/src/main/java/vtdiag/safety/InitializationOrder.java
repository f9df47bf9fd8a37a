package vtdiag.safety;

import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import vtdiag.program.ClassFile.Method;
import vtdiag.program.MethodName;
import vtdiag.program.TypeHierarchy;

/** A lock field is still null while the constructors of the classes above run. */
final class InitializationOrder implements Rule {
  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    if (!(lock instanceof LockGroup.Instances of)) {
      return Optional.empty();
    }
    Set<String> tree = program.hierarchy().subtree(of.top());
    Set<String> called = calledAbove(of.top(), program);
    return of.sites().stream()
        .map(site -> site.use().method)
        .filter(method -> tree.contains(method.owner()))
        .filter(method -> called.contains(method.signature()))
        .findFirst()
        .flatMap(
            method ->
                Refusal.of(
                    Rung.INITIALIZATION_ORDER,
                    "a superclass constructor of "
                        + ShortNames.simple(of.top())
                        + " may call "
                        + ShortNames.text(method)
                        + " before the lock field is assigned"));
  }

  /** What the constructors of the classes above can call on the same object. */
  private static Set<String> calledAbove(String top, WholeProgram program) {
    TypeHierarchy hierarchy = program.hierarchy();
    Set<String> called = new LinkedHashSet<>();
    List<MethodName> next = new ArrayList<>();
    for (String at = hierarchy.superName(top); at != null; at = hierarchy.superName(at)) {
      hierarchy
          .type(at)
          .ifPresent(
              type ->
                  type.methods().values().stream()
                      .map(Method::name)
                      .filter(method -> method.name().equals("<init>"))
                      .forEach(next::add));
    }
    while (!next.isEmpty()) {
      for (AbstractInsnNode each : program.bodies().of(next.removeLast()).instructions()) {
        if (each instanceof MethodInsnNode call
            && (call.getOpcode() == INVOKEVIRTUAL || call.getOpcode() == INVOKEINTERFACE)
            && hierarchy.isSubtype(top, call.owner)
            && called.add(call.name + call.desc)) {
          for (String at = top; at != null; at = hierarchy.superName(at)) {
            MethodName target = new MethodName(at, call.name, call.desc);
            if (hierarchy.method(target).isPresent()) {
              next.add(target);
            }
          }
        }
      }
    }
    return called;
  }
}
