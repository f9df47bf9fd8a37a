package vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import vtdiag.program.ClassFile.Field;
import vtdiag.program.FieldName;
import vtdiag.program.MethodName;
import vtdiag.program.Program;
import vtdiag.program.TypeHierarchy;
import vtdiag.program.UseIndex;
import vtdiag.safety.Origins.Origin;

/**
 * Whether the object in a field is locked by those who read that field and by nobody else: the
 * field is private and final, it holds an object made for it, and that object never gets out.
 */
final class Confinement {

  /** What a field is good for. */
  sealed interface Verdict {
    /** Nobody else has its object. */
    record Confined(Lock.Keeper keeper) implements Verdict {}

    /** Others may have it. */
    record Leaks(Rung rung, String reason) implements Verdict {}
  }

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final Map<FieldName, Verdict> verdicts = new ConcurrentHashMap<>();

  Confinement(Program program, Bodies bodies, PointsTo pointsTo) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.pointsTo = pointsTo;
  }

  Verdict verdict(Field field) {
    Verdict verdict = verdicts.get(field.name());
    if (verdict == null) {
      verdict = new Examination(field).verdict();
      verdicts.put(field.name(), verdict);
    }
    return verdict;
  }

  boolean isConfined(Field field) {
    // Only the verdict has to name the first reason against it.
    return field.has(ACC_FINAL)
        && field.has(ACC_PRIVATE)
        && verdict(field) instanceof Verdict.Confined;
  }

  /** The methods that read or write a field, themselves or by an accessor. */
  Set<MethodName> users(Field field) {
    Set<MethodName> methods = new LinkedHashSet<>(uses.fieldUsers(field.name()));
    for (MethodName method : List.copyOf(methods)) {
      if (method.name().startsWith("access$")) {
        methods.addAll(uses.callers(method.signature()));
      }
    }
    return methods;
  }

  /** Looks at everything that is done with one field. */
  private final class Examination {
    private final Field field;
    private final String name;

    /** The classes of the objects put into it. */
    private final Set<String> created = new LinkedHashSet<>();

    /** The first use as something else than a lock. */
    private boolean holdsData;

    private Verdict refusal;

    Examination(Field field) {
      this.field = field;
      this.name = ShortNames.text(field.name());
    }

    Verdict verdict() {
      String declared = Type.getType(field.descriptor()).getInternalName();
      if (field.constant() != null) {
        return new Verdict.Leaks(
            Rung.INTERNED_STRING, name + " holds a constant, which any code can lock");
      }
      if (hierarchy.isValueBased(declared)) {
        return new Verdict.Leaks(
            Rung.VALUE_BASED,
            name
                + " holds a "
                + ShortNames.simple(declared)
                + ": equal values may be one object or several");
      }
      Optional<String> locking = hierarchy.lockingJdkAncestor(declared);
      if (locking.isPresent()) {
        return jdkLocks(locking.get());
      }
      List<Body> users = users(field).stream().map(bodies::of).filter(this::hasAccess).toList();
      for (Body body : users) {
        for (AbstractInsnNode each : body.instructions()) {
          if (isAccess(each) && isPut(each)) {
            put(body, (FieldInsnNode) each);
          }
        }
      }
      if (refusal != null) {
        return refusal;
      }
      if (!field.has(ACC_FINAL)) {
        return new Verdict.Leaks(
            Rung.NOT_FINAL, name + " is not final, so two threads may lock different objects");
      }
      if (!field.has(ACC_PRIVATE)) {
        return new Verdict.Leaks(
            Rung.NOT_PRIVATE, name + " is not private, so other classes may lock it");
      }
      if (created.isEmpty()) {
        return escapes("is never assigned an object created for it");
      }
      for (Body body : users) {
        if (!body.isKnown()) {
          return escapes(
              "is used in " + ShortNames.text(body.method) + ", whose code could not be analyzed");
        }
        for (AbstractInsnNode each : body.instructions()) {
          if (isAccess(each) && !isPut(each) && body.accessedField().isEmpty()) {
            follow(body, each);
          }
        }
      }
      return refusal != null ? refusal : owned();
    }

    private Verdict owned() {
      for (String type : created) {
        if (type.equals(TypeHierarchy.OBJECT)) {
          continue;
        }
        if (hierarchy.type(type).isPresent() && (holdsData || !isEmptyClass(type))) {
          return escapes(
              "holds a "
                  + ShortNames.simple(type)
                  + ", whose own methods may lock it or pass it on");
        }
      }
      boolean onlyLock =
          !holdsData
              && created.stream()
                  .allMatch(
                      type ->
                          type.equals(TypeHierarchy.OBJECT)
                              || type.startsWith("[")
                              || hierarchy.type(type).isPresent());
      return new Verdict.Confined(onlyLock ? Lock.Keeper.SAME_FIELD : Lock.Keeper.NEW_FIELD);
    }

    /** Whether nothing but Object's constructor runs when one is made. */
    private boolean isEmptyClass(String type) {
      if (!TypeHierarchy.OBJECT.equals(hierarchy.superName(type))) {
        return false;
      }
      return hierarchy.type(type).orElseThrow().methods().values().stream()
          .filter(method -> method.name().name().equals("<init>"))
          .map(method -> bodies.of(method.name()))
          .allMatch(
              body ->
                  body.isKnown()
                      && body.instructions().stream()
                          .noneMatch(
                              each ->
                                  each instanceof InvokeDynamicInsnNode
                                      || (each instanceof FieldInsnNode put
                                          && isPut(put)
                                          && body.operand(put, 0).all().stream()
                                              .anyMatch(origin -> origin.slot() == 0))
                                      || (each instanceof MethodInsnNode call
                                          && !call.owner.equals(TypeHierarchy.OBJECT)
                                          && !call.name.equals("<init>"))));
    }

    private boolean hasAccess(Body body) {
      for (AbstractInsnNode each : body.code()) {
        if (isAccess(each)) {
          return true;
        }
      }
      return false;
    }

    private boolean isAccess(AbstractInsnNode instruction) {
      return pointsTo
          .fieldRead(instruction)
          .filter(access -> access.name.equals(field.name().name()))
          .flatMap(access -> hierarchy.field(access.owner, access.name))
          .filter(field::equals)
          .isPresent();
    }

    private static boolean isPut(AbstractInsnNode instruction) {
      return instruction.getOpcode() == Opcodes.PUTFIELD
          || instruction.getOpcode() == Opcodes.PUTSTATIC;
    }

    private void put(Body body, FieldInsnNode put) {
      for (Origin origin : body.operand(put, 0).all()) {
        AbstractInsnNode from = origin.instruction();
        int opcode = from == null ? -1 : from.getOpcode();
        switch (opcode) {
          case Opcodes.NEW, Opcodes.ANEWARRAY, Opcodes.NEWARRAY, Opcodes.MULTIANEWARRAY -> {
            Optional<String> locking = hierarchy.lockingJdkAncestor(origin.type());
            if (locking.isPresent()) {
              refuse(jdkLocks(locking.get()));
            } else {
              created.add(origin.type());
              follow(body, from);
            }
          }
          case Opcodes.LDC ->
              refuse(
                  ((LdcInsnNode) from).cst instanceof String
                      ? new Verdict.Leaks(
                          Rung.INTERNED_STRING,
                          name + " holds a string literal, which any code can lock")
                      : escapes("holds a constant, which any code can lock"));
          default -> {
            if (from instanceof MethodInsnNode call
                && call.owner.equals("java/util/Collections")
                && call.name.startsWith("synchronized")) {
              refuse(jdkLocks("what Collections." + call.name + "() returns"));
            } else {
              refuse(
                  escapes(
                      "is assigned an object in "
                          + ShortNames.text(body.method)
                          + " that comes from elsewhere"
                          + (origin.isParameter() ? " (a parameter)" : "")));
            }
          }
        }
      }
    }

    private Verdict jdkLocks(String type) {
      return new Verdict.Leaks(
          Rung.JDK_LOCKS, name + " holds an object that the JDK's own code locks too: " + type);
    }

    private Verdict escapes(String how) {
      return new Verdict.Leaks(Rung.ESCAPES, name + " " + how);
    }

    private void refuse(Verdict because) {
      if (refusal == null) {
        refusal = because;
      }
    }

    /** Looks at every use of what an instruction pushed. */
    private void follow(Body body, AbstractInsnNode source) {
      Set<AbstractInsnNode> aliases = new HashSet<>(List.of(source));
      List<AbstractInsnNode> next = new ArrayList<>(aliases);
      while (!next.isEmpty()) {
        AbstractInsnNode alias = next.removeLast();
        for (AbstractInsnNode use : body.instructions()) {
          if (use(body, alias, use) && aliases.add(use)) {
            next.add(use);
          }
        }
      }
    }

    /** Notes one use; true if what the instruction pushes may be the object itself. */
    private boolean use(Body body, AbstractInsnNode alias, AbstractInsnNode use) {
      String where = " in " + ShortNames.text(body.method);
      switch (use) {
        case MethodInsnNode call -> {
          List<Origins> arguments = body.arguments(call);
          boolean isReceiver =
              call.getOpcode() != Opcodes.INVOKESTATIC && arguments.getFirst().isFrom(alias);
          for (int i = isReceiver ? 1 : 0; i < arguments.size(); i++) {
            if (arguments.get(i).isFrom(alias) && Copies.isCopied(call, arguments)) {
              holdsData = true;
            } else if (arguments.get(i).isFrom(alias)
                && !(call.owner.equals("java/lang/Thread") && call.name.equals("holdsLock"))) {
              refuse(
                  escapes(
                      "is passed to "
                          + ShortNames.simple(call.owner)
                          + "."
                          + call.name
                          + "()"
                          + where));
            }
          }
          if (!isReceiver || call.name.equals("<init>") || isObjectMethod(call)) {
            return false;
          }
          holdsData = true;
          Type returned = Type.getReturnType(call.desc);
          return returned.getSort() == Type.OBJECT
              && !returned.getInternalName().equals(TypeHierarchy.OBJECT)
              && created.stream()
                  .anyMatch(type -> hierarchy.isSubtype(type, returned.getInternalName()));
        }
        case InvokeDynamicInsnNode lambda -> {
          if (body.arguments(lambda, lambda.desc, false).stream()
              .anyMatch(each -> each.isFrom(alias))) {
            refuse(escapes("is captured by a lambda" + where));
          }
        }
        case FieldInsnNode access -> {
          boolean isOwnPut = isPut(access) && isAccess(access);
          if (isPut(access) && !isOwnPut && body.operand(access, 0).isFrom(alias)) {
            refuse(
                escapes(
                    "is stored in " + ShortNames.simple(access.owner) + "." + access.name + where));
          }
          boolean isReceiver =
              (access.getOpcode() == Opcodes.GETFIELD && body.operand(access, 0).isFrom(alias))
                  || (access.getOpcode() == Opcodes.PUTFIELD
                      && body.operand(access, 1).isFrom(alias));
          holdsData |= isReceiver;
        }
        default -> {
          switch (use.getOpcode()) {
            case Opcodes.ARETURN -> {
              if (body.operand(use, 0).isFrom(alias)) {
                refuse(escapes("is returned by " + ShortNames.text(body.method)));
              }
            }
            case Opcodes.ATHROW -> {
              if (body.operand(use, 0).isFrom(alias)) {
                refuse(escapes("is thrown" + where));
              }
            }
            case Opcodes.AASTORE -> {
              if (body.operand(use, 0).isFrom(alias)) {
                refuse(escapes("is stored in an array" + where));
              }
              holdsData |= body.operand(use, 2).isFrom(alias);
            }
            case Opcodes.IASTORE,
                Opcodes.LASTORE,
                Opcodes.FASTORE,
                Opcodes.DASTORE,
                Opcodes.BASTORE,
                Opcodes.CASTORE,
                Opcodes.SASTORE ->
                holdsData |= body.operand(use, 2).isFrom(alias);
            case Opcodes.AALOAD,
                Opcodes.IALOAD,
                Opcodes.LALOAD,
                Opcodes.FALOAD,
                Opcodes.DALOAD,
                Opcodes.BALOAD,
                Opcodes.CALOAD,
                Opcodes.SALOAD ->
                holdsData |= body.operand(use, 1).isFrom(alias);
            case Opcodes.ARRAYLENGTH -> holdsData |= body.operand(use, 0).isFrom(alias);
            default -> {} // It is copied, compared or locked.
          }
        }
      }
      return false;
    }

    private static boolean isObjectMethod(MethodInsnNode call) {
      return call.owner.equals(TypeHierarchy.OBJECT);
    }
  }
}
