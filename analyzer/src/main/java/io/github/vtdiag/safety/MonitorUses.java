package io.github.vtdiag.safety;

import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.ClassFile.Field;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.TypeHierarchy;
import io.github.vtdiag.program.UseIndex;
import io.github.vtdiag.safety.Lock.MonitorCall;
import io.github.vtdiag.safety.Origins.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * All places of a program that need a monitor, and what each of them locks. The places of a class
 * are found when a decision needs them, and once.
 */
final class MonitorUses {
  /** The methods that need the monitor of an object. */
  static final List<String> NEED_A_MONITOR =
      List.of(
          "holdsLock(Ljava/lang/Object;)Z",
          "notify()V",
          "notifyAll()V",
          "wait()V",
          "wait(J)V",
          "wait(JI)V");

  private static final String GIVES_LOCK = "<init>(Ljava/lang/Object;)V";
  private static final String WAITS = "timedWait(Ljava/lang/Object;J)V";
  private static final Set<String> TAKE_MONITOR =
      Set.of("java/io/Reader", "java/io/Writer", "java/util/concurrent/TimeUnit");

  /**
   * A {@code synchronized}.
   *
   * @param exact whether its enters and exits could be paired
   */
  record MonitorSite(LockSite site, boolean exact, MonitorUse use) {}

  /** A call of a method that needs the monitor. */
  record WaitSite(MonitorCall call, MonitorUse use) {}

  private final TypeHierarchy hierarchy;
  private final UseIndex uses;
  private final Bodies bodies;
  private final PointsTo pointsTo;
  private final Confinement confinement;
  private final Targets targets;
  private final Callers callers;
  private final Map<ClassFile, List<MonitorSite>> sites = new ConcurrentHashMap<>();
  private List<MonitorSite> allSites;
  private List<WaitSite> calls;
  private List<MonitorUse> givenToJdk;
  private List<MonitorUse> strays;
  private Set<String> lockedTypes;

  MonitorUses(Program program, Bodies bodies, PointsTo pointsTo, Confinement confinement) {
    this.hierarchy = program.hierarchy();
    this.uses = program.uses();
    this.bodies = bodies;
    this.pointsTo = pointsTo;
    this.confinement = confinement;
    this.callers = new Callers(uses, bodies, new CallTargets(hierarchy, uses));
    this.targets =
        new Targets(
            hierarchy,
            pointsTo,
            confinement,
            new Implementations(hierarchy, uses, bodies),
            new LocalLocks(hierarchy, bodies));
  }

  /** Returns all sites of the program. */
  List<MonitorSite> sites() {
    if (allSites == null) {
      allSites =
          hierarchy.types().stream()
              .filter(ClassFile::locks)
              .toList()
              .parallelStream() // On all cores, and in order.
              .map(this::sites)
              .flatMap(List::stream)
              .toList();
    }
    return allSites;
  }

  /** Returns the sites of a class. */
  List<MonitorSite> sites(ClassFile type) {
    List<MonitorSite> known = sites.get(type);
    if (known == null) {
      known = type.locks() ? findSites(type) : List.of();
      sites.put(type, known);
    }
    return known;
  }

  /** Returns the sites that lock the object in a field, which all read the field. */
  List<MonitorSite> sites(Field field) {
    return methods(field).stream()
        .map(MethodName::owner)
        .collect(Collectors.toCollection(java.util.TreeSet::new))
        .stream()
        .flatMap(owner -> sites(hierarchy.type(owner).orElseThrow()).stream())
        .filter(site -> isOf(site.use(), field))
        .toList();
  }

  private Set<MethodName> methods(Field field) {
    return confinement.users(field);
  }

  private static boolean isOf(MonitorUse use, Field field) {
    return use.target instanceof Target.OfField of && of.field().equals(field);
  }

  /** Returns all calls of {@code wait}, {@code notify}, {@code notifyAll} and {@code holdsLock}. */
  List<WaitSite> calls() {
    if (calls == null) {
      calls = findCalls(caller -> true);
    }
    return calls;
  }

  /** Returns the calls on the object in a field. */
  List<WaitSite> calls(Field field) {
    Collection<MethodName> methods = methods(field);
    return (calls == null ? findCalls(methods::contains) : calls)
        .stream().filter(call -> isOf(call.use(), field)).toList();
  }

  /**
   * Returns the places where the JDK is given an object to lock: readers and writers lock the one
   * passed to their constructor.
   */
  List<MonitorUse> givenToJdk() {
    if (givenToJdk == null) {
      givenToJdk = findGivenToJdk();
    }
    return givenToJdk;
  }

  /** Returns the places about whose objects too little is known. */
  List<MonitorUse> strays() {
    if (strays == null) {
      strays =
          Stream.of(
                  sites().stream().map(MonitorSite::use),
                  calls().stream().map(WaitSite::use),
                  givenToJdk().stream())
              .flatMap(each -> each)
              .filter(this::isStray)
              .toList();
    }
    return strays;
  }

  /** Returns whether a method of that name needs a monitor. */
  boolean isPlace(ClassFile type, String method) {
    return Stream.of(
            sites(type).stream().map(MonitorSite::use),
            calls().stream().map(WaitSite::use),
            givenToJdk().stream())
        .flatMap(each -> each)
        .anyMatch(use -> use.type.equals(type) && use.method.name().equals(method));
  }

  private boolean isStray(MonitorUse use) {
    return switch (use.target) {
      case Target.None none -> true;
      case Target.OfField of -> !confinement.isConfined(of.field());
      case Target.Instance instance -> false;
      case Target.ClassObject literal -> false;
      case Target.OfVariable variable -> false;
    };
  }

  /**
   * Returns the topmost class above a locked one (or it) whose instances are locked or waited on.
   */
  String top(String type) {
    if (lockedTypes == null) {
      lockedTypes = new HashSet<>();
      Stream.concat(sites().stream().map(MonitorSite::use), calls().stream().map(WaitSite::use))
          .forEach(
              use -> {
                if (use.target instanceof Target.Instance instance) {
                  lockedTypes.add(instance.type());
                }
              });
    }
    String top = type;
    for (String at = type;
        at != null && hierarchy.type(at).isPresent();
        at = hierarchy.superName(at)) {
      if (lockedTypes.contains(at)) {
        top = at;
      }
    }
    return top;
  }

  private List<MonitorSite> findSites(ClassFile type) {
    List<MonitorSite> found = new ArrayList<>();
    for (MethodMonitors method : type.monitors().methods()) {
      MethodName name = new MethodName(type.name(), method.name(), method.descriptor());
      for (MonitorRegion region : method.regions()) {
        found.add(site(type, name, method.exact(), region));
      }
      if (!method.exact()) {
        addUnpaired(type, name, method, found);
      }
    }
    return found;
  }

  /** Adds the blocks whose exits could not be found: they lock all the same. */
  private void addUnpaired(
      ClassFile type, MethodName name, MethodMonitors method, List<MonitorSite> found) {
    for (int bci : bodies.of(name).enters()) {
      if (method.regions().stream().noneMatch(region -> region.enterBci() == bci)) {
        found.add(
            site(
                type,
                name,
                false,
                new MonitorRegion(
                    MonitorRegion.Kind.BLOCK, LockExpression.UNKNOWN, bci, -1, -1, List.of())));
      }
    }
  }

  private MonitorSite site(ClassFile type, MethodName method, boolean exact, MonitorRegion region) {
    LockSite site =
        new LockSite(type.monitors().type(), method.name(), method.descriptor(), region);
    return new MonitorSite(site, exact, use(type, method, region));
  }

  private MonitorUse use(ClassFile type, MethodName method, MonitorRegion region) {
    int line = region.firstLine();
    if (region.lock().kind() == LockExpression.Kind.THIS && !type.isInterface()) {
      Target target = new Target.Instance(type.name());
      return new MonitorUse(type, method, line, target, Set.of(), Set::of);
    }
    if (region.lock().kind() == LockExpression.Kind.CLASS_LITERAL) {
      Target target = new Target.ClassObject(region.lock().owner().replace('.', '/'));
      return new MonitorUse(type, method, line, target, Set.of(), Set::of);
    }
    Body body = bodies.of(method);
    Origins locked = body.lockedAt(region.enterBci());
    return new MonitorUse(
        type,
        method,
        line,
        targets.of(body, locked, region.lock().text()),
        declared(locked),
        () -> {
          Body again = bodies.of(method);
          return pointsTo.of(again, again.lockedAt(region.enterBci()));
        });
  }

  private static Set<String> declared(Origins origins) {
    return origins.all().stream().map(Origin::type).collect(Collectors.toSet());
  }

  private List<WaitSite> findCalls(Predicate<MethodName> isWanted) {
    List<WaitSite> found = new ArrayList<>();
    for (String signature : NEED_A_MONITOR) {
      for (MethodName caller : uses.callers(signature)) {
        if (isWanted.test(caller)) {
          addCalls(signature, caller, found);
        }
      }
    }
    return found;
  }

  private void addCalls(String signature, MethodName caller, List<WaitSite> found) {
    Body body = bodies.of(caller);
    ClassFile type = hierarchy.type(caller.owner()).orElseThrow();
    Map<Integer, List<AbstractInsnNode>> byLine =
        body.instructions().stream()
            .filter(each -> each instanceof MethodInsnNode call && needsMonitor(call, signature))
            .collect(Collectors.groupingBy(body::line));
    for (AbstractInsnNode each : body.instructions()) {
      if (each instanceof MethodInsnNode call
          && needsMonitor(call, signature)
          && !(call.name.equals("holdsLock") && isNeverCalled(caller))) {
        List<AbstractInsnNode> ofLine = byLine.get(body.line(each));
        MonitorCall monitorCall =
            new MonitorCall(
                type.monitors().type(),
                caller.name(),
                caller.descriptor(),
                body.line(each),
                call.name,
                call.desc,
                ofLine.indexOf(each),
                ofLine.size());
        Origins receiver = body.arguments(call).getFirst();
        int index = body.index(each);
        found.add(
            new WaitSite(
                monitorCall,
                new MonitorUse(
                    type,
                    caller,
                    body.line(each),
                    targets.of(body, receiver, "the object"),
                    declared(receiver),
                    () -> {
                      Body again = bodies.of(caller);
                      MethodInsnNode here = (MethodInsnNode) again.instruction(index);
                      return pointsTo.of(again, again.arguments(here).getFirst());
                    })));
      }
    }
  }

  private static boolean needsMonitor(MethodInsnNode call, String signature) {
    return signature.equals(call.name + call.desc)
        && (call.getOpcode() != INVOKESTATIC || call.owner.equals("java/lang/Thread"));
  }

  /**
   * Returns whether nothing calls a static method. A program may carry one along as a debugging
   * aid; its arguments do not matter.
   */
  private boolean isNeverCalled(MethodName method) {
    return hierarchy.method(method).orElseThrow().has(ACC_STATIC)
        && !method.name().equals("main")
        && !method.name().equals("<clinit>")
        && !callers.mayBeCalled(method);
  }

  private List<MonitorUse> findGivenToJdk() {
    List<MonitorUse> found = new ArrayList<>();
    addGivenToJdk(GIVES_LOCK, 0, found);
    addGivenToJdk(WAITS, 1, found);
    return found;
  }

  /**
   * Adds the places that call a method of the JDK.
   *
   * @param depth the place of the object on the stack
   */
  private void addGivenToJdk(String signature, int depth, List<MonitorUse> found) {
    for (MethodName caller : uses.callers(signature)) {
      Body body = bodies.of(caller);
      for (AbstractInsnNode each : body.code()) {
        if (isGivenToJdk(each, signature) && body.instructions().contains(each)) {
          Origins given = body.operand(each, depth);
          int index = body.index(each);
          found.add(
              new MonitorUse(
                  hierarchy.type(caller.owner()).orElseThrow(),
                  caller,
                  body.line(each),
                  new Target.None(RefusalReason.JDK_LOCKS, ""),
                  declared(given),
                  () -> {
                    Body again = bodies.of(caller);
                    return pointsTo.of(again, again.operand(again.instruction(index), depth));
                  }));
        }
      }
    }
  }

  private static boolean isGivenToJdk(AbstractInsnNode instruction, String signature) {
    return instruction instanceof MethodInsnNode call
        && signature.equals(call.name + call.desc)
        && TAKE_MONITOR.contains(call.owner);
  }
}
