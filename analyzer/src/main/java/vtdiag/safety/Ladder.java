package vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import vtdiag.model.ClassRef;
import vtdiag.model.LockExpression;
import vtdiag.model.LockSite;
import vtdiag.model.MethodMonitors;
import vtdiag.model.MonitorRegion;
import vtdiag.program.Owner;
import vtdiag.safety.Decision.Declined;
import vtdiag.safety.Decision.Movable;
import vtdiag.safety.Lock.Identity;
import vtdiag.safety.Lock.MonitorCall;
import vtdiag.safety.Origins.Origin;
import vtdiag.safety.Program.ClassFile;
import vtdiag.safety.Program.Field;
import vtdiag.safety.Program.FieldName;
import vtdiag.safety.Program.Method;
import vtdiag.safety.Program.MethodName;

/**
 * Decides for every monitor of a program whether it can become a ReentrantLock.
 *
 * <p>The program counts as whole: that code outside it locks one of its objects, or calls it with
 * objects that no class of it makes, is ruled out by assumption and not by the classes. Native code
 * and reflection that lock are not seen. The loader in a site's {@link ClassRef} is left empty.
 */
public final class Ladder {
  private static final Set<String> WAITS =
      Set.of("notify()V", "notifyAll()V", "wait()V", "wait(J)V", "wait(JI)V");
  private static final String HOLDS_LOCK = "holdsLock(Ljava/lang/Object;)Z";

  /** What a site locks. */
  private sealed interface Target {
    /** An instance of a class of the program. */
    record Instance(String type) implements Target {}

    record ClassObject(String type) implements Target {}

    record OfField(Field field) implements Target {}

    /** Something that no lock can stand for. */
    record None(Rung rung, String reason) implements Target {}
  }

  /**
   * A site, or a call of a method that needs the monitor.
   *
   * @param bounds everything that the object can be, where the target does not say it
   */
  private record Use(
      ClassFile type, MethodName method, int line, Target target, Supplier<Set<Bound>> bounds) {
    String where() {
      return FieldLocks.text(method) + (line < 0 ? "" : " (line " + line + ")");
    }
  }

  private record Site(LockSite site, boolean exact, Use use) {}

  private record Call(MonitorCall call, Use use) {}

  private final Program program;
  private final Resolver resolver;
  private final FieldLocks fields;
  private final List<Site> sites = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();

  /** Where the JDK is given an object to lock, with what that can be. */
  private final Map<Use, Set<Bound>> givenToJdk = new LinkedHashMap<>();

  /** What objects of which too little is known can be, with the first place that uses them. */
  private final Map<Set<Bound>, Use> strays = new LinkedHashMap<>();

  /** The classes whose instances are locked or waited on. */
  private final Set<String> lockedTypes = new HashSet<>();

  /**
   * A site without what may differ between two readings of it: the loader, and how its lock is
   * named.
   */
  private record Place(String type, String method, String descriptor, int enterBci) {
    static Place of(LockSite site) {
      return new Place(
          site.type().name(), site.method(), site.descriptor(), site.region().enterBci());
    }
  }

  private final Map<Place, Decision> decisions = new LinkedHashMap<>();

  public Ladder(Program program) {
    this.program = program;
    this.resolver = new Resolver(program);
    this.fields = new FieldLocks(program, resolver);
    for (ClassFile type : program.types()) {
      addSites(type);
    }
    addCalls();
    addJdkLockObjects();
    decideAll();
  }

  /** The decision on the lock that a site takes. */
  public Decision decide(LockSite site) {
    if (program.type(site.type().name().replace('.', '/')).isEmpty()) {
      return site.type().isJdk()
          ? new Declined(
              Rung.JDK_CODE,
              site.qualifiedMethod() + " is code of the JDK, which nobody can patch",
              List.of(site))
          : new Declined(
              Rung.CLASS_UNKNOWN,
              "the class file of " + site.type().name() + " is not at hand",
              List.of(site));
    }
    Decision decision = decisions.get(Place.of(site));
    return decision != null
        ? decision
        : new Declined(
            Rung.CLASS_UNKNOWN,
            "the class file of "
                + site.type().name()
                + " has no such monitor in "
                + site.method()
                + ": it is another version",
            List.of(site));
  }

  /** The decisions on all locks of the program. */
  public List<Decision> all() {
    return List.copyOf(new LinkedHashSet<>(decisions.values()));
  }

  /** The decisions on the locks that classes of these names (with dots) take. */
  public List<Decision> all(Collection<String> classNames) {
    Set<Decision> found = new LinkedHashSet<>();
    decisions.forEach(
        (place, decision) -> {
          if (classNames.contains(place.type())) {
            found.add(decision);
          }
        });
    return List.copyOf(found);
  }

  /**
   * The classes that have to move with chosen ones: those with another site of the same locks, and
   * so on, because a class moves with all its monitors and with the classes nested in it. What
   * stands in the way of a patch of the sources is no matter here; it is enough to know where every
   * object is locked.
   *
   * @param isChosen takes names with dots
   */
  public Together together(Predicate<String> isChosen) {
    Map<Object, List<Use>> uses = new LinkedHashMap<>();
    Map<String, Set<Object>> locksOf = new LinkedHashMap<>();
    for (Site site : sites) {
      Object key = key(site.use().target(), site);
      uses.computeIfAbsent(key, k -> new ArrayList<>()).add(site.use());
      locksOf.computeIfAbsent(site.use().type().dotted(), k -> new LinkedHashSet<>()).add(key);
    }
    // Whoever waits for a lock, or notifies, has to know of it too.
    for (Call call : calls) {
      uses.computeIfAbsent(key(call.use().target(), call), k -> new ArrayList<>()).add(call.use());
    }
    Map<Object, Objects> locks = new LinkedHashMap<>();
    uses.forEach((key, at) -> locks.put(key, objects(key, at)));
    Set<String> moving = new LinkedHashSet<>();
    Set<Object> seen = new HashSet<>();
    List<Object> next = new ArrayList<>();
    Consumer<String> move =
        type -> {
          if (moving.add(type)) {
            locksOf.forEach(
                (name, keys) -> {
                  if (name.equals(type) || name.startsWith(type + "$")) {
                    moving.add(name);
                    keys.stream().filter(seen::add).forEach(next::add);
                  }
                });
          }
        };
    locksOf.keySet().stream().filter(isChosen).forEach(move);
    while (!next.isEmpty()) {
      Object key = next.removeLast();
      Objects moved = locks.get(key);
      Optional<String> unknown = unknown(moved, uses.get(key));
      if (unknown.isPresent()) {
        return new Together.Unknown(unknown.get());
      }
      nativeLocks(moved).forEach(move);
      for (Map.Entry<Object, Objects> other : locks.entrySet()) {
        if (other.getKey().equals(key) || mayBeSame(moved, other.getValue())) {
          uses.get(other.getKey()).forEach(use -> move.accept(use.type().dotted()));
        }
      }
    }
    return new Together.Classes(moving);
  }

  /** Which objects the places with one key lock. */
  private sealed interface Objects {
    record Instances(String top, Set<String> tree) implements Objects {}

    record ClassObject(String type) implements Objects {}

    /** Those in a field that nobody else has. */
    record Owned() implements Objects {}

    record Within(Set<Bound> bounds) implements Objects {}
  }

  private Objects objects(Object key, List<Use> uses) {
    return switch (key) {
      case Identity.Instances of -> new Objects.Instances(of.type(), program.subtree(of.type()));
      case Identity.ClassObject of -> new Objects.ClassObject(of.type());
      default -> {
        if (uses.getFirst().target() instanceof Target.OfField of
            && fields.verdict(of.field()) instanceof FieldLocks.Verdict.Owned) {
          yield new Objects.Owned();
        }
        Set<Bound> bounds = new LinkedHashSet<>();
        uses.forEach(use -> bounds.addAll(use.bounds().get()));
        yield new Objects.Within(bounds);
      }
    };
  }

  /** Why it cannot be known where else these are locked. */
  private Optional<String> unknown(Objects objects, List<Use> uses) {
    for (Map.Entry<Use, Set<Bound>> given : givenToJdk.entrySet()) {
      if (mayBeSame(objects, new Objects.Within(given.getValue()))) {
        return Optional.of(
            given.getKey().where()
                + " gives an object to the JDK to lock, which may be "
                + describe(objects, uses));
      }
    }
    return switch (objects) {
      case Objects.Instances of -> unknownAncestor(of.top()).map(Refusal::reason);
      case Objects.ClassObject of ->
          program.isKnown(of.type())
              ? Optional.empty()
              : Optional.of("the class file of " + of.type().replace('/', '.') + " is not at hand");
      case Objects.Owned owned -> Optional.empty();
      case Objects.Within of ->
          of.bounds().contains(new Bound.AtMost(Program.OBJECT))
              ? Optional.of("what is locked in " + uses.getFirst().where() + " can be any object")
              : Optional.empty();
    };
  }

  private static String describe(Objects objects, List<Use> uses) {
    return switch (objects) {
      case Objects.Instances of -> "an instance of " + FieldLocks.simple(of.top());
      case Objects.ClassObject of -> FieldLocks.simple(of.type()) + ".class";
      case Objects.Owned owned -> "what is locked in " + uses.getFirst().where();
      case Objects.Within within -> "what is locked in " + uses.getFirst().where();
    };
  }

  /** The classes with a method that is native and synchronized: it has no code with a site. */
  private List<String> nativeLocks(Objects objects) {
    return switch (objects) {
      case Objects.Instances of -> nativeLocks(of.tree(), false);
      case Objects.ClassObject of -> nativeLocks(Set.of(of.type()), true);
      case Objects.Owned owned -> List.of();
      case Objects.Within within -> List.of();
    };
  }

  private List<String> nativeLocks(Set<String> types, boolean isStatic) {
    return types.stream()
        .filter(type -> nativeMethod(Set.of(type), isStatic).isPresent())
        .map(type -> type.replace('/', '.'))
        .toList();
  }

  /** Different keys: two classes, two class objects or two fields that own theirs share none. */
  private boolean mayBeSame(Objects one, Objects other) {
    if (one instanceof Objects.Within(Set<Bound> bounds)) {
      return switch (other) {
        case Objects.Instances of -> bounds.stream().anyMatch(bound -> mayBeIn(bound, of.tree()));
        case Objects.ClassObject of ->
            bounds.stream().anyMatch(bound -> mayBeClassObject(bound, of.type()));
        case Objects.Owned owned -> false;
        case Objects.Within of ->
            bounds.stream().anyMatch(a -> of.bounds().stream().anyMatch(b -> mayBeSame(a, b)));
      };
    }
    return other instanceof Objects.Within && mayBeSame(other, one);
  }

  private boolean mayBeSame(Bound one, Bound other) {
    return switch (one) {
      case Bound.Exactly(String type) ->
          switch (other) {
            case Bound.Exactly exactly -> type.equals(exactly.type());
            case Bound.AtMost most -> program.isSubtype(type, most.type());
            case Bound.ClassLiteral literal -> false;
            case Bound.ClassOf of -> false;
          };
      case Bound.AtMost(String type) ->
          switch (other) {
            case Bound.Exactly exactly -> program.isSubtype(exactly.type(), type);
            // Some class may extend one and implement the other.
            case Bound.AtMost most ->
                program.isInterface(type)
                    || program.isInterface(most.type())
                    || program.isSubtype(type, most.type())
                    || program.isSubtype(most.type(), type);
            case Bound.ClassLiteral literal -> program.isSubtype("java/lang/Class", type);
            case Bound.ClassOf of -> program.isSubtype("java/lang/Class", type);
          };
      case Bound.ClassLiteral(String type) -> mayBeClassObject(other, type);
      case Bound.ClassOf(String type) ->
          switch (other) {
            case Bound.Exactly exactly -> false;
            case Bound.AtMost most -> program.isSubtype("java/lang/Class", most.type());
            case Bound.ClassLiteral literal -> program.isSubtype(literal.type(), type);
            case Bound.ClassOf of -> mayBeSame(new Bound.AtMost(type), new Bound.AtMost(of.type()));
          };
    };
  }

  // Finding what is locked where.

  private void addSites(ClassFile type) {
    for (MethodMonitors method : type.monitors().methods()) {
      MethodName name = new MethodName(type.name(), method.name(), method.descriptor());
      for (MonitorRegion region : method.regions()) {
        addSite(type, name, method.exact(), region);
      }
      if (!method.exact()) {
        addUnpaired(type, name, method);
      }
    }
  }

  /** The blocks whose exits could not be found lock all the same. */
  private void addUnpaired(ClassFile type, MethodName name, MethodMonitors method) {
    for (int bci : program.body(name).enters()) {
      if (method.regions().stream().noneMatch(region -> region.enterBci() == bci)) {
        addSite(
            type,
            name,
            false,
            new MonitorRegion(
                MonitorRegion.Kind.BLOCK, LockExpression.UNKNOWN, bci, -1, -1, List.of()));
      }
    }
  }

  private void addSite(ClassFile type, MethodName method, boolean exact, MonitorRegion region) {
    ClassRef ref = type.monitors().type();
    LockSite site = new LockSite(ref, method.name(), method.descriptor(), region);
    sites.add(new Site(site, exact, use(type, method, region)));
  }

  private Use use(ClassFile type, MethodName method, MonitorRegion region) {
    boolean isThis = region.lock().kind() == LockExpression.Kind.THIS;
    if (isThis && !type.isInterface()) {
      return use(type, method, region.firstLine(), new Target.Instance(type.name()), Set::of);
    }
    if (region.lock().kind() == LockExpression.Kind.CLASS_LITERAL) {
      Target target = new Target.ClassObject(region.lock().owner().replace('.', '/'));
      return use(type, method, region.firstLine(), target, Set::of);
    }
    Body body = program.body(method);
    Origins locked = body.lockedAt(region.enterBci());
    return use(type, body, region.firstLine(), locked, region.lock().text());
  }

  private Use use(ClassFile type, Body body, int line, Origins locked, String expression) {
    Target target = target(body, locked, expression);
    return use(type, body.method, line, target, () -> resolver.bounds(body, locked));
  }

  private Use use(
      ClassFile type, MethodName method, int line, Target target, Supplier<Set<Bound>> bounds) {
    Use use = new Use(type, method, line, target, bounds);
    switch (target) {
      case Target.Instance instance -> lockedTypes.add(instance.type());
      case Target.None none -> addStray(use);
      case Target.OfField field -> {
        if (fields.verdict(field.field()) instanceof FieldLocks.Verdict.Refused) {
          addStray(use);
        }
      }
      case Target.ClassObject literal -> {}
    }
    return use;
  }

  private void addStray(Use use) {
    strays.putIfAbsent(use.bounds().get(), use);
  }

  private Target target(Body body, Origins locked, String expression) {
    if (locked.all().isEmpty()) {
      return new Target.None(Rung.UNRESOLVED, "null is locked in " + FieldLocks.text(body.method));
    }
    Set<Target> targets = new LinkedHashSet<>();
    for (Origin origin : locked.all()) {
      targets.add(target(body, origin, expression));
    }
    if (targets.size() == 1) {
      return targets.iterator().next();
    }
    return targets.stream()
        .filter(Target.None.class::isInstance)
        .findFirst()
        .orElse(
            new Target.None(
                Rung.UNRESOLVED,
                "the block in "
                    + FieldLocks.text(body.method)
                    + " locks different objects on different paths"));
  }

  private Target target(Body body, Origin origin, String expression) {
    AbstractInsnNode from = origin.instruction();
    String where = " in " + FieldLocks.text(body.method);
    if (from instanceof LdcInsnNode ldc) {
      return ldc.cst instanceof org.objectweb.asm.Type type
          ? new Target.ClassObject(type.getInternalName())
          : new Target.None(
              Rung.INTERNED_STRING,
              "a literal is locked" + where + ", which code anywhere can lock");
    }
    Optional<Field> field =
        from == null
            ? Optional.empty()
            : resolver.fieldRead(from).flatMap(read -> program.field(read.owner, read.name));
    boolean isOwnType = isClassOfProgram(origin.type());
    if (field.isPresent()
        && (!isOwnType || fields.verdict(field.get()) instanceof FieldLocks.Verdict.Owned)) {
      return new Target.OfField(field.get());
    }
    if (isOwnType) {
      return new Target.Instance(origin.type());
    }
    if (program.isValueBased(origin.type())) {
      return new Target.None(
          Rung.VALUE_BASED, "a " + FieldLocks.simple(origin.type()) + " is locked" + where);
    }
    Optional<String> locking = program.lockingJdkAncestor(origin.type());
    if (locking.isPresent()) {
      return new Target.None(
          Rung.JDK_LOCKS,
          expression + where + " is an object that the JDK's own code locks too: " + locking.get());
    }
    if (from instanceof FieldInsnNode read && program.isKnown(read.owner)) {
      return new Target.None(
          Rung.JDK_LOCKS,
          "the field " + read.name + " of " + FieldLocks.simple(read.owner) + " is locked" + where);
    }
    if (from instanceof MethodInsnNode call) {
      if (call.name.equals("getClass") && call.desc.startsWith("()")) {
        return new Target.None(
            Rung.GET_CLASS, "getClass()" + where + " gives another object in every subclass");
      }
      if (call.owner.equals("java/lang/String") && call.name.equals("intern")) {
        return new Target.None(Rung.INTERNED_STRING, "an interned string is locked" + where);
      }
      if (call.owner.equals("java/util/Collections") && call.name.startsWith("synchronized")) {
        return new Target.None(
            Rung.JDK_LOCKS,
            "what Collections." + call.name + "() returns locks itself, and is locked" + where);
      }
    }
    Optional<ClassFile> own = program.type(origin.type());
    if (own.isPresent() && own.get().isInterface()) {
      return new Target.None(
          Rung.INTERFACE,
          expression
              + where
              + " is only known as "
              + FieldLocks.simple(origin.type())
              + ", an interface, which can have no lock field");
    }
    return new Target.None(
        Rung.UNRESOLVED, expression + where + ": which object that is, is not known");
  }

  private boolean isClassOfProgram(String name) {
    return program.type(name).filter(type -> !type.isInterface()).isPresent();
  }

  private void addCalls() {
    for (String signature :
        Stream.concat(WAITS.stream(), Stream.of(HOLDS_LOCK)).sorted().toList()) {
      for (MethodName caller : program.callers(signature)) {
        Body body = program.body(caller);
        ClassFile type = program.type(caller.owner()).orElseThrow();
        for (AbstractInsnNode each : body.instructions()) {
          if (each instanceof MethodInsnNode call
              && signature.equals(call.name + call.desc)
              && (call.getOpcode() != INVOKESTATIC || call.owner.equals("java/lang/Thread"))
              && !(call.name.equals("holdsLock") && isNeverCalled(caller))) {
            int line = body.line(each);
            MonitorCall found =
                new MonitorCall(
                    type.monitors().type(),
                    caller.name(),
                    caller.descriptor(),
                    line,
                    call.name,
                    call.desc);
            Origins receiver = body.arguments(call).getFirst();
            calls.add(new Call(found, use(type, body, line, receiver, "the object")));
          }
        }
      }
    }
  }

  /** As a debugging aid is that the program carries along: what it would be told is no matter. */
  private boolean isNeverCalled(MethodName method) {
    return program.method(method).orElseThrow().has(ACC_STATIC)
        && !method.name().equals("main")
        && !method.name().equals("<clinit>")
        && program.callers(method.signature()).isEmpty();
  }

  /** Readers and writers lock the object that is given to their constructor. */
  private void addJdkLockObjects() {
    for (MethodName caller : program.callers("<init>(Ljava/lang/Object;)V")) {
      Body body = program.body(caller);
      ClassFile type = program.type(caller.owner()).orElseThrow();
      for (AbstractInsnNode each : body.instructions()) {
        if (each instanceof MethodInsnNode call
            && call.name.equals("<init>")
            && call.desc.equals("(Ljava/lang/Object;)V")
            && (call.owner.equals("java/io/Reader") || call.owner.equals("java/io/Writer"))) {
          Origins given = body.operand(call, 0);
          Use use =
              new Use(
                  type,
                  caller,
                  body.line(each),
                  new Target.None(Rung.JDK_LOCKS, ""),
                  () -> resolver.bounds(body, given));
          addStray(use);
          givenToJdk.put(use, use.bounds().get());
        }
      }
    }
  }

  // Deciding.

  private void decideAll() {
    Map<Object, List<Site>> groups = new LinkedHashMap<>();
    for (Site site : sites) {
      groups.computeIfAbsent(key(site.use().target(), site), k -> new ArrayList<>()).add(site);
    }
    groups.forEach(
        (key, members) -> {
          Decision decision = decide(key, members);
          members.forEach(member -> decisions.put(Place.of(member.site()), decision));
        });
  }

  /** Sites with the same key lock the same objects. */
  private Object key(Target target, Object otherwise) {
    return switch (target) {
      case Target.Instance instance -> new Identity.Instances(top(instance.type()));
      case Target.ClassObject literal -> new Identity.ClassObject(literal.type());
      case Target.OfField of -> {
        FieldName name = of.field().name();
        yield FieldLocks.isStatic(of.field())
            ? new Identity.StaticField(name.owner(), name.name())
            : new Identity.InstanceField(name.owner(), name.name());
      }
      case Target.None none -> otherwise;
    };
  }

  /** The topmost class above a locked one that is locked itself. */
  private String top(String type) {
    String top = type;
    for (String at = type; at != null && program.type(at).isPresent(); at = program.superName(at)) {
      if (lockedTypes.contains(at)) {
        top = at;
      }
    }
    return top;
  }

  private Decision decide(Object key, List<Site> members) {
    List<LockSite> all = members.stream().map(Site::site).toList();
    Optional<Refusal> refusal =
        switch (key) {
          case Identity.Instances instances -> instances(instances.type(), members);
          case Identity.ClassObject literal -> classObject(literal.type(), members);
          default -> fieldOrNone(members);
        };
    if (refusal.isPresent()) {
      return new Declined(refusal.get().rung(), refusal.get().reason(), all);
    }
    Lock.Keeper keeper =
        members.getFirst().use().target() instanceof Target.OfField of
                && fields.verdict(of.field()) instanceof FieldLocks.Verdict.Owned owned
            ? owned.keeper()
            : Lock.Keeper.NEW_FIELD;
    List<Call> theirs =
        calls.stream().filter(call -> key(call.use().target(), call).equals(key)).toList();
    for (Call call : theirs) {
      String owner = owner(call.use().type());
      if (!owner.equals(owner(members.getFirst().use().type()))) {
        return new Declined(
            Rung.SEVERAL_OWNERS,
            call.use().where() + " needs the monitor too, and belongs to " + owner,
            all);
      }
    }
    List<MonitorCall> monitorCalls = theirs.stream().map(Call::call).toList();
    return new Movable(new Lock(dotted((Identity) key), keeper, all, monitorCalls));
  }

  private static Identity dotted(Identity identity) {
    return switch (identity) {
      case Identity.Instances(String type) -> new Identity.Instances(type.replace('/', '.'));
      case Identity.ClassObject(String type) -> new Identity.ClassObject(type.replace('/', '.'));
      case Identity.StaticField(String owner, String name) ->
          new Identity.StaticField(owner.replace('/', '.'), name);
      case Identity.InstanceField(String owner, String name) ->
          new Identity.InstanceField(owner.replace('/', '.'), name);
    };
  }

  private record Refusal(Rung rung, String reason) {}

  private static Optional<Refusal> refuse(Rung rung, String reason) {
    return Optional.of(new Refusal(rung, reason));
  }

  private Optional<Refusal> fieldOrNone(List<Site> members) {
    return structure(members)
        .or(
            () ->
                switch (members.getFirst().use().target()) {
                  case Target.None none -> refuse(none.rung(), none.reason());
                  case Target.OfField of ->
                      switch (fields.verdict(of.field())) {
                        case FieldLocks.Verdict.Refused refused ->
                            refuse(refused.rung(), refused.reason());
                        case FieldLocks.Verdict.Owned owned ->
                            fieldHolder(of.field(), owned, members);
                      };
                  case Target.Instance instance -> throw new IllegalStateException();
                  case Target.ClassObject literal -> throw new IllegalStateException();
                })
        .or(() -> sources(members));
  }

  private Optional<Refusal> fieldHolder(
      Field field, FieldLocks.Verdict.Owned owned, List<Site> members) {
    String owner = field.name().owner();
    if (!FieldLocks.isStatic(field) && isSerializable(owner)) {
      return refuse(
          Rung.SERIALIZABLE,
          FieldLocks.simple(owner)
              + " is Serializable: a deserialized one would have no lock in "
              + field.name().name());
    }
    if (!FieldLocks.isStatic(field)
        && owned.keeper() == Lock.Keeper.NEW_FIELD
        && program.type(owner).orElseThrow().isRecord()) {
      return refuse(Rung.RECORD, FieldLocks.simple(owner) + " is a record: it has no lock field");
    }
    return owners(program.type(owner).orElseThrow(), members);
  }

  private Optional<Refusal> instances(String top, List<Site> members) {
    ClassFile type = program.type(top).orElseThrow();
    Set<String> tree = program.subtree(top);
    return structure(members)
        .or(() -> nativeMethod(tree, false))
        .or(() -> unknownAncestor(top))
        .or(
            () ->
                program
                    .lockingJdkAncestor(top)
                    .flatMap(
                        jdk ->
                            refuse(
                                Rung.JDK_LOCKS,
                                jdk.equals(top.replace('/', '.'))
                                    ? jdk + " is code of the JDK"
                                    : FieldLocks.simple(top)
                                        + " extends "
                                        + jdk
                                        + ", whose own methods lock the same object")))
        .or(
            () ->
                type.isRecord()
                    ? refuse(
                        Rung.RECORD,
                        FieldLocks.simple(top) + " is a record, which can have no lock field")
                    : Optional.empty())
        .or(
            () ->
                strayOn(bound -> mayBeIn(bound, tree), "an instance of " + FieldLocks.simple(top)))
        .or(() -> owners(type, members))
        .or(() -> serializable(top, members))
        .or(() -> cloneable(tree))
        .or(() -> constructorCalls(top, tree, members))
        .or(() -> reflection(members))
        .or(() -> sources(members));
  }

  private Optional<Refusal> classObject(String name, List<Site> members) {
    Optional<ClassFile> type = program.type(name);
    if (type.isEmpty()) {
      return program.isKnown(name)
          ? refuse(
              Rung.JDK_CODE,
              FieldLocks.simple(name) + ".class belongs to the JDK, which may lock it too")
          : refuse(
              Rung.CLASS_UNKNOWN,
              "the class file of " + name.replace('/', '.') + " is not at hand");
    }
    return structure(members)
        .or(() -> nativeMethod(Set.of(name), true))
        .or(
            () ->
                type.get().isInterface()
                    ? refuse(
                        Rung.INTERFACE,
                        FieldLocks.simple(name)
                            + " is an interface, which can have no private lock field")
                    : Optional.empty())
        .or(
            () ->
                strayOn(bound -> mayBeClassObject(bound, name), FieldLocks.simple(name) + ".class"))
        .or(() -> owners(type.get(), members))
        .or(() -> serialVersion(members))
        .or(() -> reflection(members))
        .or(() -> sources(members));
  }

  // The rungs.

  private static Optional<Refusal> structure(List<Site> members) {
    for (Site member : members) {
      if (!member.exact()) {
        return refuse(
            Rung.UNSTRUCTURED,
            "the monitors of " + member.use().where() + " are not entered and left in pairs");
      }
      if (member.site().method().equals("<clinit>")) {
        return refuse(
            Rung.CLASS_INITIALIZER,
            "it is locked in the class initializer of "
                + FieldLocks.simple(member.use().method().owner()));
      }
    }
    return Optional.empty();
  }

  private Optional<Refusal> nativeMethod(Set<String> types, boolean isStatic) {
    for (String name : types) {
      for (Method method : program.type(name).map(ClassFile::methods).orElse(Map.of()).values()) {
        if (method.has(ACC_NATIVE)
            && method.has(ACC_SYNCHRONIZED)
            && method.has(ACC_STATIC) == isStatic) {
          return refuse(
              Rung.NATIVE_METHOD, FieldLocks.text(method.name()) + " is native and synchronized");
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Refusal> unknownAncestor(String top) {
    for (String at = top; at != null; at = program.superName(at)) {
      if (!program.isKnown(at)) {
        return refuse(
            Rung.CLASS_UNKNOWN,
            FieldLocks.simple(top)
                + " extends "
                + at.replace('/', '.')
                + ", whose class file is not at hand, and which may lock too");
      }
    }
    return Optional.empty();
  }

  private Optional<Refusal> strayOn(Predicate<Bound> may, String object) {
    for (Map.Entry<Set<Bound>, Use> stray : strays.entrySet()) {
      if (stray.getKey().stream().anyMatch(may)) {
        return refuse(
            Rung.MAY_BE_SHARED,
            "what is locked in " + stray.getValue().where() + " may be " + object);
      }
    }
    return Optional.empty();
  }

  private boolean mayBeIn(Bound bound, Set<String> tree) {
    return switch (bound) {
      case Bound.Exactly exactly -> tree.contains(exactly.type());
      case Bound.AtMost most ->
          tree.stream().anyMatch(type -> program.isSubtype(type, most.type()));
      case Bound.ClassLiteral literal -> false;
      case Bound.ClassOf of -> false;
    };
  }

  private boolean mayBeClassObject(Bound bound, String name) {
    return switch (bound) {
      case Bound.Exactly exactly -> false;
      case Bound.AtMost most -> program.isSubtype("java/lang/Class", most.type());
      case Bound.ClassLiteral literal -> literal.type().equals(name);
      case Bound.ClassOf of -> program.isSubtype(name, of.type());
    };
  }

  private static Optional<Refusal> owners(ClassFile holder, List<Site> members) {
    for (Site member : members) {
      if (!owner(member.use().type()).equals(owner(holder))) {
        return refuse(
            Rung.SEVERAL_OWNERS,
            member.use().where()
                + " locks it too, and belongs to "
                + owner(member.use().type())
                + ", not to "
                + owner(holder));
      }
    }
    return Optional.empty();
  }

  private static String owner(ClassFile type) {
    return switch (type.bytes().owner()) {
      case Owner.Application application -> "the application";
      case Owner.Library library -> library.coordinates().text();
      case Owner.Jdk jdk -> "the JDK";
      case Owner.UnknownJar jar -> jar.location();
    };
  }

  private boolean isSerializable(String type) {
    return program.isSubtype(type, "java/io/Serializable")
        && !program.isSubtype(type, "java/lang/Enum");
  }

  private Optional<Refusal> serializable(String top, List<Site> members) {
    return isSerializable(top)
        ? refuse(
            Rung.SERIALIZABLE,
            FieldLocks.simple(top) + " is Serializable: a deserialized one would have no lock")
        : serialVersion(members);
  }

  private Optional<Refusal> serialVersion(List<Site> members) {
    for (Site member : members) {
      ClassFile type = member.use().type();
      if (member.site().region().kind() == MonitorRegion.Kind.METHOD
          && isSerializable(type.name())
          && !type.fields().containsKey("serialVersionUID")) {
        return refuse(
            Rung.SERIALIZABLE,
            FieldLocks.simple(type.name())
                + " is Serializable without a serialVersionUID: its default counts the modifiers of"
                + " "
                + member.site().method());
      }
    }
    return Optional.empty();
  }

  private Optional<Refusal> cloneable(Set<String> tree) {
    return tree.stream()
        .filter(type -> program.isSubtype(type, "java/lang/Cloneable"))
        .findFirst()
        .flatMap(
            type ->
                refuse(
                    Rung.CLONEABLE,
                    FieldLocks.simple(type) + " is Cloneable: a clone would share the lock"));
  }

  /** A lock field is still null while the constructors of the classes above run. */
  private Optional<Refusal> constructorCalls(String top, Set<String> tree, List<Site> members) {
    Set<String> seen = new LinkedHashSet<>();
    List<MethodName> next = new ArrayList<>();
    for (String at = program.superName(top); at != null; at = program.superName(at)) {
      String name = at;
      program
          .type(name)
          .ifPresent(
              type ->
                  type.methods().values().stream()
                      .map(Method::name)
                      .filter(method -> method.name().equals("<init>"))
                      .forEach(next::add));
    }
    while (!next.isEmpty()) {
      MethodName method = next.removeLast();
      for (AbstractInsnNode each : program.body(method).instructions()) {
        if (each instanceof MethodInsnNode call
            && (call.getOpcode() == INVOKEVIRTUAL || call.getOpcode() == INVOKEINTERFACE)
            && program.isSubtype(top, call.owner)
            && seen.add(call.name + call.desc)) {
          for (String at = top; at != null; at = program.superName(at)) {
            MethodName called = new MethodName(at, call.name, call.desc);
            if (program.method(called).isPresent()) {
              next.add(called);
            }
          }
        }
      }
    }
    return members.stream()
        .filter(member -> tree.contains(member.use().method().owner()))
        .filter(member -> seen.contains(member.use().method().signature()))
        .findFirst()
        .flatMap(
            member ->
                refuse(
                    Rung.INITIALIZATION_ORDER,
                    "a constructor above "
                        + FieldLocks.simple(top)
                        + " can call "
                        + FieldLocks.text(member.use().method())
                        + " before the lock field is set"));
  }

  private Optional<Refusal> reflection(List<Site> members) {
    boolean hasMethods =
        members.stream()
            .anyMatch(member -> member.site().region().kind() == MonitorRegion.Kind.METHOD);
    String owner = owner(members.getFirst().use().type());
    return program.callers("isSynchronized(I)Z").stream()
        .filter(caller -> hasMethods)
        .filter(caller -> owner(program.type(caller.owner()).orElseThrow()).equals(owner))
        .findFirst()
        .flatMap(
            caller ->
                refuse(
                    Rung.REFLECTION,
                    FieldLocks.text(caller)
                        + " asks by reflection which methods are synchronized"));
  }

  private static Optional<Refusal> sources(List<Site> members) {
    for (Site member : members) {
      ClassFile type = member.use().type();
      if (type.has(ACC_SYNTHETIC)) {
        return refuse(Rung.NO_SOURCE, type.dotted() + " is generated: it has no source");
      }
      // Compiled without debug tables, as some libraries are, a class names no source file.
      if (type.source() != null && !type.source().endsWith(".java")) {
        return refuse(
            Rung.NOT_JAVA,
            type.dotted()
                + " is compiled from "
                + type.source()
                + "; nothing else stands in the way, but only Java sources are patched");
      }
    }
    return Optional.empty();
  }
}
