package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.PUTFIELD;

import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.FieldName;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * The contents of {@code Reader.lock} and {@code Writer.lock}, which subclasses in a program lock,
 * too. The classes of the JDK put the object itself into it, the stream that it wraps, or an object
 * that no program has (JDK 21 and 25: all calls of the constructor with a lock, and all
 * assignments, were read). A lock that a program passes to that constructor is a use of its own:
 * see {@link MonitorUses}.
 */
final class JdkLockFields {
  private static final String FIELD = "lock";
  private static final List<String> OWNERS = List.of("java/io/Reader", "java/io/Writer");
  private static final Set<Pointee> STREAMS =
      Stream.of("Reader", "Writer", "InputStream", "OutputStream")
          .map(stream -> (Pointee) new Pointee.AtMost("java/io/" + stream))
          .collect(Collectors.toUnmodifiableSet());

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final boolean isWhole;
  private final Map<String, JdkResults.Result> known = new HashMap<>();

  /**
   * @param isWhole whether all subclasses are in the program
   */
  JdkLockFields(TypeHierarchy hierarchy, UseIndex uses, Bodies bodies, boolean isWhole) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    this.bodies = bodies;
    this.isWhole = isWhole;
  }

  /** Returns the contents of a field; empty if it is another one, or anything may be in it. */
  Optional<JdkResults.Result> of(FieldInsnNode read) {
    if (!isWhole || !read.name.equals(FIELD)) {
      return Optional.empty();
    }
    return OWNERS.stream()
        .filter(owner -> isFieldOf(read, owner))
        .findFirst()
        .map(owner -> known.computeIfAbsent(owner, this::contents));
  }

  private boolean isFieldOf(FieldInsnNode access, String owner) {
    return access.name.equals(FIELD)
        && hierarchy.isSubtype(access.owner, owner)
        && hierarchy.field(access.owner, FIELD).isEmpty();
  }

  /** Collects what the JDK and the assignments of subclasses put into the field. */
  private JdkResults.Result contents(String owner) {
    Set<String> named = new LinkedHashSet<>();
    for (ClassFile type : hierarchy.types()) {
      if (hierarchy.isSubtype(type.name(), owner)) {
        named.addAll(hierarchy.ancestors(type.name()));
      }
    }
    Set<MethodName> users = new LinkedHashSet<>();
    named.forEach(type -> users.addAll(uses.fieldUsers(new FieldName(type, FIELD))));
    List<JdkResults.Place> places = new ArrayList<>();
    Set<Pointee> pointees = new LinkedHashSet<>(STREAMS);
    for (MethodName user : users) {
      Body body = bodies.of(user);
      if (!body.isKnown()) {
        pointees.add(new Pointee.AtMost(TypeHierarchy.OBJECT));
        continue;
      }
      for (AbstractInsnNode each : body.instructions()) {
        if (each instanceof FieldInsnNode put
            && put.getOpcode() == PUTFIELD
            && isFieldOf(put, owner)) {
          places.add(new JdkResults.Place(body, body.operand(put, 0)));
        }
      }
    }
    return new JdkResults.Result(pointees, places, List.of());
  }
}
