package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.PUTFIELD;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UnreadableClassException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The program's own streams that extend one of the JDK which wraps another: code that they inherit
 * waits for what their constructors pass on.
 */
final class OwnStreams {
  /** The fields of the JDK in which such streams keep the one below. */
  private static final Set<String> BELOW = Set.of("in", "out");

  private final Receivers receivers;
  private final TypeHierarchy hierarchy;
  private final Bodies bodies;
  private final JdkCreations jdk;
  private final Map<String, Boolean> known = new HashMap<>();

  OwnStreams(Receivers receivers, TypeHierarchy hierarchy, Bodies bodies, JdkCreations jdk) {
    this.receivers = receivers;
    this.hierarchy = hierarchy;
    this.bodies = bodies;
    this.jdk = jdk;
  }

  /** Returns whether all objects of a class wrap streams on memory or files. */
  boolean isOnQuiet(String type) {
    Boolean found = known.get(type);
    if (found == null) {
      known.put(type, false); // For a stream that wraps one of its own class.
      found = find(type);
      known.put(type, found);
    }
    return found;
  }

  /** Returns whether streams are such, or those of the JDK that do not wait. */
  boolean areQuiet(Set<Receiver> streams) {
    return !streams.isEmpty()
        && streams.stream()
            .allMatch(
                each ->
                    JdkCreations.isQuiet(Set.of(each))
                        || (each instanceof Receiver.Exactly own && isOnQuiet(own.type())));
  }

  private boolean find(String type) {
    String own = type;
    String above = hierarchy.superName(own);
    while (above != null && hierarchy.type(above).isPresent()) {
      own = above;
      above = hierarchy.superName(own);
    }
    if (above == null || hierarchy.type(own).isEmpty() || !jdk.isStreamOnStream(above)) {
      return false;
    }
    try {
      boolean isPassed = false;
      for (ClassFile.Method method : hierarchy.type(own).get().methods().values()) {
        Body body = bodies.of(method.name());
        for (AbstractInsnNode each : body.code()) {
          if (method.name().name().equals("<init>") && isConstructor(each, above)) {
            List<Origins> given = body.given(each);
            isPassed = true;
            if (given.size() < 2 || !areQuiet(receivers.of(body, given.get(1)))) {
              return false;
            }
          }
        }
      }
      return isPassed && hierarchy.subtree(own).stream().noneMatch(this::setsAnother);
    } catch (UnreadableClassException e) {
      return false; // It is among the program's problems.
    }
  }

  private static boolean isConstructor(AbstractInsnNode instruction, String type) {
    return instruction instanceof MethodInsnNode call
        && call.getOpcode() == INVOKESPECIAL
        && call.name.equals("<init>")
        && call.owner.equals(type);
  }

  /** Returns whether a class sets the stream below by itself, in the field of the JDK. */
  private boolean setsAnother(String type) {
    return hierarchy.type(type).stream()
        .flatMap(each -> each.methods().values().stream())
        .flatMap(each -> StreamSupport.stream(bodies.of(each.name()).code().spliterator(), false))
        .anyMatch(
            each ->
                each instanceof FieldInsnNode put
                    && put.getOpcode() == PUTFIELD
                    && BELOW.contains(put.name)
                    && hierarchy.field(put.owner, put.name).isEmpty());
  }
}
