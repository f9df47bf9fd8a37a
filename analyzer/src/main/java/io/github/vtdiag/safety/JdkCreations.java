package io.github.vtdiag.safety;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * The objects that methods of the JDK create for their callers: a list creates its iterator, {@code
 * Collections.synchronizedList} the list around another.
 */
final class JdkCreations {
  /** The depth to which the calls inside such a method are followed. */
  private static final int DEPTH = 3;

  /**
   * The receiver for everything that reads or writes a file; the exact class makes no difference.
   */
  static final Receiver FILE = new Receiver.Exactly("java/io/FileInputStream");

  /** The streams that never wait, and those whose waits keep the carrier whatever is held. */
  private static final Set<String> QUIET =
      Set.of(
          "java/io/FileInputStream",
          "java/io/FileOutputStream",
          "java/io/FileReader",
          "java/io/FileWriter",
          "java/io/ByteArrayInputStream",
          "java/io/ByteArrayOutputStream",
          "java/io/CharArrayReader",
          "java/io/CharArrayWriter",
          "java/io/StringReader",
          "java/io/StringWriter");

  private static final List<String> STREAMS =
      List.of("java/io/InputStream", "java/io/OutputStream", "java/io/Reader", "java/io/Writer");

  private final Optional<CallGraph> graph;
  private final TypeHierarchy hierarchy;
  private final Map<MethodName, Set<Receiver>> made = new HashMap<>();

  JdkCreations(Optional<CallGraph> graph, TypeHierarchy hierarchy) {
    this.graph = graph;
    this.hierarchy = hierarchy;
  }

  /** Returns whether a class of the JDK is a stream that may wrap another. */
  boolean isStreamOnStream(String type) {
    return hierarchy.type(type).isEmpty()
        && !QUIET.contains(type)
        && STREAMS.stream().anyMatch(stream -> hierarchy.isSubtype(type, stream));
  }

  /** Returns the object that an instruction creates: a lambda, or a concatenated string. */
  static Receiver lambda(InvokeDynamicInsnNode made, String type) {
    return made.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
            && made.bsmArgs.length > 1
            && made.bsmArgs[1] instanceof Handle body
        ? new Receiver.Lambda(new MethodName(body.getOwner(), body.getName(), body.getDesc()))
        : new Receiver.Exactly(type);
  }

  static boolean isQuiet(Set<Receiver> receivers) {
    return !receivers.isEmpty()
        && receivers.stream()
            .allMatch(
                each -> each instanceof Receiver.Exactly exactly && QUIET.contains(exactly.type()));
  }

  static boolean opensFile(String owner, String method) {
    return method.equals("getResourceAsStream")
        || method.equals("getResource")
        || (owner.equals("java/nio/file/Files") && method.startsWith("new"));
  }

  /** Returns what a method creates and may return, when it is called on an object. */
  Set<Receiver> of(Receiver on, MethodName method) {
    String result = Type.getReturnType(method.descriptor()).getInternalName();
    Receiver unknown = new Receiver.AtMost(result);
    return switch (on) {
      case Receiver.Exactly exactly when hierarchy.type(exactly.type()).isEmpty() ->
          orElse(
              made(exactly.type(), method),
              result.startsWith("java/util/") ? new Receiver.OfJdk(result) : unknown);
      case Receiver.AtMost most when hierarchy.type(most.type()).isEmpty() ->
          orElse(made(most.type(), method), unknown);
      case Receiver.OfJdk some when result.startsWith("java/util/") ->
          Set.of(new Receiver.OfJdk(result));
      // Objects that a class of the program creates are not followed here.
      case Receiver.Exactly own -> Set.of(unknown);
      case Receiver.AtMost own -> Set.of(unknown);
      case Receiver.OfJdk some -> Set.of(unknown);
      case Receiver.Lambda lambda -> Set.of(unknown);
    };
  }

  private static Set<Receiver> orElse(Set<Receiver> made, Receiver otherwise) {
    return made.isEmpty() ? Set.of(otherwise) : made;
  }

  private Set<Receiver> made(String owner, MethodName method) {
    Type result = Type.getReturnType(method.descriptor());
    if (owner.startsWith("[") || result.getInternalName().equals(TypeHierarchy.OBJECT)) {
      return Set.of(); // A collection did not create its elements.
    }
    MethodName named = new MethodName(owner, method.name(), method.descriptor());
    Set<Receiver> known = made.get(named);
    if (known == null) {
      Set<String> types = new LinkedHashSet<>();
      graph.ifPresent(all -> add(all, all.find(named), result.getInternalName(), DEPTH, types));
      known = types.stream().<Receiver>map(Receiver.Exactly::new).collect(Collectors.toSet());
      made.put(named, known);
    }
    return known;
  }

  private void add(CallGraph graph, int method, String bound, int depth, Set<String> types) {
    if (method < 0 || !graph.isJdk(method) || graph.has(method, Opcodes.ACC_ABSTRACT)) {
      return;
    }
    for (int call = graph.firstCall(method); call < graph.endOfCalls(method); call++) {
      if (graph.created(call).isPresent()) {
        String created = graph.created(call).get();
        if (hierarchy.isSubtype(created, bound)) {
          types.add(created);
        }
      } else if (depth > 0 && !graph.isNoCall(call)) {
        Type result = Type.getReturnType(graph.named(call).descriptor());
        if (result.getSort() == Type.OBJECT
            && !result.getInternalName().equals(TypeHierarchy.OBJECT)
            && (hierarchy.isSubtype(result.getInternalName(), bound)
                || hierarchy.isSubtype(bound, result.getInternalName()))) {
          add(graph, graph.resolved(call), bound, depth - 1, types);
        }
      }
    }
  }
}
