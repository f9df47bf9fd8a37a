package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ASM9;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** The code of methods of the program and of the JDK, as far as it was followed. */
final class FollowedCode {
  /** The most classes that are kept at once. */
  private static final int MAX_CLASSES = 200;

  /** The code of a method, with the origins of the objects that each instruction works on. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Code(MethodNode node, Frame<Origins>[] frames) {}

  private final TypeHierarchy hierarchy;
  private final Function<String, Optional<byte[]>> classFiles;
  private final Map<String, Optional<ClassNode>> classes = new HashMap<>();
  private final Map<MethodName, Optional<Code>> codes = new HashMap<>();

  /**
   * @param classFiles finds the bytes of a class of the program or the JDK; names with slashes
   */
  FollowedCode(TypeHierarchy hierarchy, Function<String, Optional<byte[]>> classFiles) {
    this.hierarchy = hierarchy;
    this.classFiles = classFiles;
  }

  void forgetMost() {
    if (classes.size() > MAX_CLASSES) {
      classes.clear();
      codes.clear();
    }
  }

  /** Returns the code of a method; empty if it has none or cannot be followed. */
  Optional<Code> of(MethodName method) {
    return codes.computeIfAbsent(method, this::follow);
  }

  /** Returns whether a method has one of some access flags. */
  boolean has(MethodName name, int flags) {
    return method(name).filter(each -> (each.access & flags) != 0).isPresent();
  }

  @SuppressWarnings("unchecked") // Arrays have no type parameters.
  private Optional<Code> follow(MethodName method) {
    return method(method)
        .filter(node -> (node.access & (ACC_ABSTRACT | ACC_NATIVE)) == 0)
        .flatMap(
            node -> {
              try {
                Analyzer<Origins> analyzer = new Analyzer<>(new OriginInterpreter(hierarchy));
                return Optional.of(new Code(node, analyzer.analyze(method.owner(), node)));
              } catch (AnalyzerException | RuntimeException | AssertionError e) {
                return Optional.empty();
              }
            });
  }

  /** Returns a class of the program or the JDK. */
  Optional<ClassNode> declared(String type) {
    return classes.computeIfAbsent(
        type,
        name ->
            classFiles
                .apply(name)
                .map(
                    bytes -> {
                      ClassNode node = new ClassNode(ASM9);
                      new ClassReader(bytes)
                          .accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                      return node;
                    }));
  }

  /** Returns the code that initializes a class, if it has any. */
  Optional<MethodNode> initializer(String type) {
    return method(new MethodName(type, "<clinit>", "()V"));
  }

  /** Returns a method that a class of the program or the JDK declares. */
  Optional<MethodNode> method(MethodName method) {
    return declared(method.owner())
        .flatMap(
            type ->
                type.methods.stream()
                    .filter(each -> each.name.equals(method.name()))
                    .filter(each -> each.desc.equals(method.descriptor()))
                    .findFirst());
  }

  /** Returns the method that a class has of that name, its own or an inherited one; or null. */
  MethodName resolve(String type, MethodInsnNode call) {
    for (String at = type; at != null; at = hierarchy.superName(at)) {
      MethodName method = new MethodName(at, call.name, call.desc);
      if (method(method).isPresent()) {
        return method;
      }
    }
    for (String at : hierarchy.ancestors(type)) {
      MethodName method = new MethodName(at, call.name, call.desc);
      if (method(method).filter(each -> (each.access & ACC_ABSTRACT) == 0).isPresent()) {
        return method;
      }
    }
    return null;
  }
}
