package vtdiag.patch;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.EnumDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.RecordDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.ClassExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.LongLiteralExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.expr.SuperExpr;
import com.github.javaparser.ast.expr.ThisExpr;
import com.github.javaparser.ast.stmt.ExpressionStmt;
import com.github.javaparser.ast.stmt.SynchronizedStmt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import vtdiag.model.ClassMonitors;
import vtdiag.model.LockSite;
import vtdiag.safety.Lock;
import vtdiag.safety.Lock.Identity;
import vtdiag.safety.Lock.MonitorCall;

/** Plans the source edits that turn monitors into ReentrantLocks. */
public final class Patcher {
  private static final String LOCKS = "java.util.concurrent.locks.";
  private static final String REENTRANT_LOCK = LOCKS + "ReentrantLock";
  private static final String CONDITION = LOCKS + "Condition";
  private static final String TIME_UNIT = "java.util.concurrent.TimeUnit";

  /** Who must reach a lock's field; each includes those before it. */
  private enum Reach {
    PRIVATE,
    PACKAGE,
    PROTECTED,
    PUBLIC
  }

  private final Collection<ClassMonitors> program;
  private final SourceFolders sources;
  private final Map<SourceFile, ClassSites> matches = new HashMap<>();
  private final Map<SourceFile, DeclinedException> mismatches = new HashMap<>();

  /** Names of new fields, by the type that has them. */
  private final Map<SourceType, Set<String>> newNames = new HashMap<>();

  private Patcher(Collection<ClassMonitors> program, SourceFolders sources) {
    this.program = program;
    this.sources = sources;
  }

  /**
   * Plans a patch.
   *
   * @param locks locks that may move, each with all its sites and calls
   * @param program the lock maps of all classes that are compiled from the sources
   * @param sources where the sources are
   */
  public static Patch patch(
      List<Lock> locks, Collection<ClassMonitors> program, SourceFolders sources) {
    Patcher patcher = new Patcher(program, sources);
    List<Lock> moved = new ArrayList<>();
    List<Patch.LockField> fields = new ArrayList<>();
    List<Patch.Declined> declined = new ArrayList<>();
    List<Rewrite> rewrites = new ArrayList<>();
    // Names go to the first who asks, so the order must not depend on the caller's.
    List<Lock> ordered =
        locks.stream().sorted(Comparator.comparing(lock -> lock.identity().toString())).toList();
    for (Lock lock : ordered) {
      try {
        LockPlan plan = patcher.new LockPlan(lock);
        plan.make();
        rewrites.addAll(plan.rewrites);
        fields.add(new Patch.LockField(plan.ownerName, plan.name));
        moved.add(lock);
      } catch (DeclinedException e) {
        declined.add(new Patch.Declined(lock, e.obstacle, e.getMessage()));
      }
    }
    return new Patch(Renderer.render(rewrites), moved, fields, declined);
  }

  private ClassSites match(SourceFile file) throws DeclinedException {
    DeclinedException mismatch = mismatches.get(file);
    if (mismatch != null) {
      throw mismatch;
    }
    ClassSites known = matches.get(file);
    if (known == null) {
      try {
        known = new ClassSites(file, program);
      } catch (DeclinedException e) {
        mismatches.put(file, e);
        throw e;
      }
      matches.put(file, known);
    }
    return known;
  }

  /** The plan for one lock: nothing of it counts until all of it is made. */
  private final class LockPlan {
    private final Lock lock;
    private final List<Rewrite> rewrites = new ArrayList<>();
    private final Set<SourceFile.Site> sites = new LinkedHashSet<>();
    private final Set<SourceFile.Call> calls = new LinkedHashSet<>();
    private final Set<SourceFile> files = new LinkedHashSet<>();

    /** The expressions that name the lock, each with where it stands. */
    private final IdentityHashMap<Expression, SourceFile.Context> expressions =
        new IdentityHashMap<>();

    private SourceType owner;
    private String ownerName;
    private String name;
    private String condition;
    private Reach reach = Reach.PRIVATE;

    /** The field that holds the object that was locked, for the identities that have one. */
    private FieldDeclaration field;

    /** Whether that field becomes the lock; else it gets a companion. */
    private boolean inPlace;

    LockPlan(Lock lock) {
      this.lock = lock;
    }

    void make() throws DeclinedException {
      findSites();
      findCalls();
      findOwner();
      checkOwner();
      nameFields();
      for (SourceFile.Site site : sites) {
        rewrite(site);
      }
      for (SourceFile.Call call : calls) {
        rewrite(call);
      }
      declare();
    }

    private void findSites() throws DeclinedException {
      if (lock.sites().isEmpty()) {
        throw new DeclinedException("no place is known that takes this lock");
      }
      Set<ClassSites.Region> moving = new HashSet<>();
      for (LockSite site : lock.sites()) {
        moving.add(
            new ClassSites.Region(
                site.type().name(), site.method(), site.descriptor(), site.region().enterBci()));
      }
      List<ClassSites.Region> ordered =
          moving.stream().sorted(Comparator.comparing(ClassSites.Region::toString)).toList();
      for (ClassSites.Region region : ordered) {
        SourceFile file = sources.fileOf(region.type());
        ClassSites match = match(file);
        SourceFile.Site site = match.source(region);
        if (!moving.containsAll(match.regions(site))) {
          throw new DeclinedException(
              "the synchronized on line %d of %s also takes another lock"
                  .formatted(site.firstLine, file.path.getFileName()));
        }
        sites.add(site);
        files.add(file);
        if (site.node instanceof SynchronizedStmt block) {
          expressions.put(block.getExpression(), site.context);
        }
      }
    }

    private void findCalls() throws DeclinedException {
      for (MonitorCall call : lock.calls()) {
        SourceFile file = sources.fileOf(call.type().name());
        match(file);
        List<SourceFile.Call> found =
            file.calls.stream().filter(candidate -> fits(candidate, call)).toList();
        if (found.isEmpty()
            || found.stream().map(one -> scope(file, one)).distinct().count() != 1) {
          throw new DeclinedException(
              "the call of %s on line %d cannot be told in %s"
                  .formatted(call.called(), call.line(), file.path.getFileName()));
        }
        calls.addAll(found);
        files.add(file);
      }
      for (SourceFile.Call call : calls) {
        lockExpression(call.node)
            .ifPresent(expression -> expressions.put(expression, call.context));
      }
    }

    private static boolean fits(SourceFile.Call candidate, MonitorCall call) {
      MethodCallExpr node = candidate.node;
      return node.getNameAsString().equals(call.called())
          && node.getArguments().size() == ClassSites.parameters(call.calledDescriptor())
          && node.getBegin().get().line <= call.line()
          && call.line() <= node.getEnd().get().line
          && candidate.context.type().canBe(call.type().name())
          && candidate.context.canBe(call.method(), ClassSites.parameters(call.descriptor()));
    }

    private static String scope(SourceFile file, SourceFile.Call call) {
      return lockExpression(call.node).map(file::textOf).orElse("");
    }

    private void findOwner() throws DeclinedException {
      ownerName =
          switch (lock.identity()) {
            case Identity.Instances instances -> instances.type();
            case Identity.ClassObject object -> object.type();
            case Identity.StaticField statics -> statics.owner();
            case Identity.InstanceField instance -> instance.owner();
          };
      SourceFile file = sources.fileOf(ownerName);
      files.add(file);
      owner = match(file).type(ownerName);
      switch (lock.identity()) {
        case Identity.Instances instances -> {}
        case Identity.ClassObject object -> {}
        case Identity.StaticField statics -> findField(statics.name());
        case Identity.InstanceField instance -> findField(instance.name());
      }
    }

    private void findField(String fieldName) throws DeclinedException {
      VariableDeclarator variable = null;
      for (BodyDeclaration<?> member : owner.members()) {
        if (member instanceof FieldDeclaration declaration) {
          for (VariableDeclarator candidate : declaration.getVariables()) {
            if (candidate.getNameAsString().equals(fieldName)) {
              field = declaration;
              variable = candidate;
            }
          }
        }
      }
      if (field == null) {
        throw DeclinedException.ofSources(
            "%s does not match the classes: %s has no field %s"
                .formatted(owner.file.path.getFileName(), ownerName, fieldName));
      }
      if (!field.isFinal()) {
        throw new DeclinedException(
            "%s.%s is not final: another object could be locked later"
                .formatted(owner.name(), fieldName));
      }
      inPlace =
          lock.keeper() == Lock.Keeper.SAME_FIELD
              && field.isPrivate()
              && field.getVariables().size() == 1
              && isNewObject(variable)
              && usedAsLockOnly(fieldName);
    }

    private static boolean isNewObject(VariableDeclarator variable) {
      return variable.getTypeAsString().equals("Object")
          && variable.getInitializer().orElse(null) instanceof ObjectCreationExpr creation
          && creation.getTypeAsString().equals("Object")
          && creation.getArguments().isEmpty()
          && creation.getAnonymousClassBody().isEmpty();
    }

    /** Whether nothing is done with the field but what this patch rewrites. */
    private boolean usedAsLockOnly(String fieldName) {
      List<Node> uses = new ArrayList<>();
      uses.addAll(
          owner.file.unit.findAll(NameExpr.class, use -> use.getNameAsString().equals(fieldName)));
      uses.addAll(
          owner.file.unit.findAll(
              FieldAccessExpr.class, use -> use.getNameAsString().equals(fieldName)));
      return uses.stream().allMatch(expressions::containsKey);
    }

    private boolean isStatic() {
      return switch (lock.identity()) {
        case Identity.Instances instances -> false;
        case Identity.InstanceField instance -> false;
        case Identity.ClassObject object -> true;
        case Identity.StaticField statics -> true;
      };
    }

    private void checkOwner() throws DeclinedException {
      if (owner.isInterface()) {
        throw new DeclinedException(
            owner.name() + " is an interface: all could reach a lock that it has");
      }
      if (isStatic() && !inPlace && owner.isInner()) {
        throw new DeclinedException(
            owner.name() + " is an inner class, which may have no static lock before Java 16");
      }
      if (!isStatic() && owner.node instanceof RecordDeclaration) {
        throw new DeclinedException(owner.name() + " is a record, which has no other fields");
      }
      if (owner.node instanceof EnumDeclaration declared && declared.getMembers().isEmpty()) {
        throw new DeclinedException(owner.name() + " is an enum without a body");
      }
      if (isStatic() && !inPlace && owner.node instanceof EnumDeclaration declared) {
        boolean calls =
            declared.getMembers().stream()
                .filter(ConstructorDeclaration.class::isInstance)
                .anyMatch(made -> made.findFirst(MethodCallExpr.class).isPresent());
        if (calls) {
          throw new DeclinedException(
              owner.name() + " makes its constants, whose constructor calls, before a lock");
        }
      }
      SourceHierarchy hierarchy = new SourceHierarchy(sources);
      if (!isStatic() && !inPlace && hierarchy.is(owner, "java.io.Serializable")) {
        throw new DeclinedException(
            owner.name() + " is Serializable: an instance that was read would have no lock");
      }
      if (!isStatic() && !calls.isEmpty() && hierarchy.is(owner, "java.lang.Cloneable")) {
        throw new DeclinedException(
            owner.name() + " is Cloneable: a clone would share its lock, and take its signals");
      }
      for (SourceFile.Site site : sites) {
        if (site.node instanceof MethodDeclaration method
            && !method.isPrivate()
            && hierarchy.is(site.context.type(), "java.io.Serializable")
            && !(site.context.type().node instanceof EnumDeclaration)
            && !declaresSerialVersion(site.context.type())) {
          throw new DeclinedException(
              site.context.type().name()
                  + " is Serializable and its version depends on synchronized; declare the"
                  + " serialVersionUID that serialver prints first");
        }
      }
    }

    private static boolean declaresSerialVersion(SourceType type) {
      return type.members().stream()
          .filter(FieldDeclaration.class::isInstance)
          .flatMap(declared -> ((FieldDeclaration) declared).getVariables().stream())
          .anyMatch(variable -> variable.getNameAsString().equals("serialVersionUID"));
    }

    private void nameFields() {
      if (inPlace) {
        name = field.getVariable(0).getNameAsString();
      } else {
        name =
            free(
                switch (lock.identity()) {
                  case Identity.Instances instances ->
                      List.of("lock", "instanceLock", "reentrantLock", "instanceReentrantLock");
                  case Identity.ClassObject object ->
                      List.of("LOCK", "CLASS_LOCK", "REENTRANT_LOCK", "CLASS_REENTRANT_LOCK");
                  case Identity.StaticField statics -> companions(statics.name());
                  case Identity.InstanceField instance -> companions(instance.name());
                });
      }
      boolean waits = lock.calls().stream().anyMatch(call -> !call.called().equals("holdsLock"));
      if (waits) {
        condition =
            name.equals("lock")
                ? free(List.of("condition", "lockCondition"))
                : name.equals("LOCK")
                    ? free(List.of("CONDITION", "LOCK_CONDITION"))
                    : free(List.of(isConstant(name) ? name + "_CONDITION" : name + "Condition"));
      }
    }

    private static List<String> companions(String fieldName) {
      return isConstant(fieldName)
          ? List.of(fieldName + "_LOCK", fieldName + "_REENTRANT_LOCK")
          : List.of(fieldName + "Lock", fieldName + "ReentrantLock");
    }

    private static boolean isConstant(String fieldName) {
      return fieldName.equals(fieldName.toUpperCase(Locale.ROOT));
    }

    /** The first name that neither collides with another nor hides or is hidden. */
    private String free(List<String> wished) {
      for (int number = 1; ; number++) {
        for (String wish : wished) {
          String candidate = number == 1 ? wish : wish + number;
          if (isFree(candidate)) {
            newNames.computeIfAbsent(owner, type -> new HashSet<>()).add(candidate);
            return candidate;
          }
        }
      }
    }

    /** A local variable's name. */
    private String free(SourceFile file, List<String> wished) {
      for (int number = 1; ; number++) {
        for (String wish : wished) {
          if (file.names.add(number == 1 ? wish : wish + number)) {
            return number == 1 ? wish : wish + number;
          }
        }
      }
    }

    private boolean isFree(String candidate) {
      return !newNames.getOrDefault(owner, Set.of()).contains(candidate)
          && files.stream().noneMatch(file -> file.names.contains(candidate))
          && (owner.simpleName.isEmpty() || !sources.usedInSubclass(owner.simpleName, candidate));
    }

    private void rewrite(SourceFile.Site site) throws DeclinedException {
      SourceFile file = site.context.type().file;
      switch (site.node) {
        case MethodDeclaration method ->
            rewrites.add(
                new Rewrite.Method(file, method, reference(name, null, site.context, method)));
        case SynchronizedStmt block -> {
          Expression expression = block.getExpression();
          String reference = reference(name, expression, site.context, block);
          if (lock.identity() instanceof Identity.Instances
              && !(expression instanceof ThisExpr)
              && !Variables.isStable(expression, block)) {
            // It could be another object at the unlock.
            String held = free(file, List.of("held", "heldLock"));
            rewrites.add(
                new Rewrite.Block(
                    file,
                    block,
                    held,
                    typeName(file, REENTRANT_LOCK) + " " + held + " = " + reference + ";"));
          } else {
            rewrites.add(new Rewrite.Block(file, block, reference, ""));
          }
        }
        default -> throw new IllegalStateException("no synchronized: " + site.node);
      }
    }

    /**
     * How a site names a field of the lock.
     *
     * @param named the lock's or the condition's name
     * @param expression the locked expression; null for what {@code this} is, or the class of a
     *     static method
     * @param scope where the reference holds
     */
    private String reference(
        String named, Expression expression, SourceFile.Context context, Node scope)
        throws DeclinedException {
      Expression plain = expression;
      while (plain instanceof EnclosedExpr enclosed) {
        plain = enclosed.getInner();
      }
      SourceFile file = context.type().file;
      return switch (lock.identity()) {
        case Identity.Instances instances -> instanceReference(named, plain, context);
        case Identity.ClassObject object -> {
          if (plain != null && !(plain instanceof ClassExpr)) {
            throw declined(plain, context, "does not name the class");
          }
          if (context.type().isInside(owner)) {
            yield named;
          }
          reachFrom(context.type());
          yield file.textOf(((ClassExpr) plain).getType()) + "." + named;
        }
        case Identity.StaticField statics ->
            fieldReference(named, statics.name(), plain, context, scope);
        case Identity.InstanceField instance ->
            fieldReference(named, instance.name(), plain, context, scope);
      };
    }

    private String instanceReference(String named, Expression plain, SourceFile.Context context)
        throws DeclinedException {
      SourceFile file = context.type().file;
      if (plain instanceof ThisExpr outer && outer.getTypeName().isPresent()) {
        reach(enclosing(context.type(), outer.getTypeName().get().getIdentifier()));
        return file.textOf(outer) + "." + named;
      }
      if (plain == null || plain instanceof ThisExpr || plain instanceof SuperExpr) {
        reach(context.type());
        return named;
      }
      return asOwner(plain, context) + "." + named;
    }

    private String fieldReference(
        String named, String old, Expression plain, SourceFile.Context context, Node scope)
        throws DeclinedException {
      if (plain instanceof NameExpr simple && simple.getNameAsString().equals(old)) {
        if (isLocalVariable(simple)) {
          throw declined(plain, context, "is a variable");
        }
        if (context.type().topLevel() != owner.topLevel()) {
          reach(context.type());
        }
        return named;
      }
      if (!(plain instanceof FieldAccessExpr access) || !access.getNameAsString().equals(old)) {
        throw declined(plain, context, "does not name the field " + old);
      }
      Expression from = access.getScope();
      if (lock.identity() instanceof Identity.InstanceField) {
        checkVariable(from, context, scope);
      }
      reachFrom(context.type());
      return context.type().file.textOf(from) + "." + named;
    }

    private DeclinedException declined(Expression plain, SourceFile.Context context, String why) {
      SourceFile file = context.type().file;
      return new DeclinedException(
          "the expression %s on line %d of %s %s"
              .formatted(
                  plain == null ? "" : file.textOf(plain).replaceAll("\\s+", " "),
                  plain == null ? 0 : plain.getBegin().get().line,
                  file.path.getFileName(),
                  why));
    }

    /** An expression as one of the owner's type: the class files tell that it is one. */
    private String asOwner(Expression plain, SourceFile.Context context) throws DeclinedException {
      SourceFile file = context.type().file;
      reachFrom(context.type());
      if (owner.isLocal()) {
        throw declined(plain, context, "is of a class without a name there");
      }
      boolean typed = Variables.declaredType(plain).filter(owner.simpleName::equals).isPresent();
      return typed
          ? file.textOf(plain)
          : "((" + typeName(file, ownerName.replace('$', '.')) + ") " + file.textOf(plain) + ")";
    }

    private void checkVariable(Expression from, SourceFile.Context context, Node scope)
        throws DeclinedException {
      if (!Variables.isStable(from, scope)) {
        throw declined(from, context, "could be another object at the unlock");
      }
    }

    private static boolean isLocalVariable(NameExpr use) {
      return Variables.declaration(use).map(variable -> !Variables.isField(variable)).orElse(false);
    }

    /** A use through {@code this}: of the owner, or inherited from it. */
    private void reach(SourceType user) {
      if (user == owner) {
        return;
      }
      raise(user.file.packageName.equals(owner.file.packageName) ? Reach.PACKAGE : Reach.PROTECTED);
    }

    /** A use through an expression, from another file. */
    private void reachFrom(SourceType user) {
      if (user.topLevel() != owner.topLevel()) {
        raise(user.file.packageName.equals(owner.file.packageName) ? Reach.PACKAGE : Reach.PUBLIC);
      }
    }

    private void raise(Reach needed) {
      if (needed.compareTo(reach) > 0) {
        reach = needed;
      }
    }

    private static SourceType enclosing(SourceType type, String simpleName)
        throws DeclinedException {
      for (SourceType at = type; at != null; at = at.enclosing) {
        if (at.simpleName.equals(simpleName)) {
          return at;
        }
      }
      throw new DeclinedException(simpleName + ".this has no enclosing type of that name");
    }

    private void rewrite(SourceFile.Call call) throws DeclinedException {
      SourceFile file = call.context.type().file;
      MethodCallExpr node = call.node;
      Expression expression = lockExpression(node).orElse(null);
      String target =
          node.getNameAsString().equals("holdsLock")
              ? reference(name, expression, call.context, node)
              : reference(condition, expression, call.context, node);
      switch (node.getNameAsString()) {
        case "holdsLock" -> replace(file, node, target + ".isHeldByCurrentThread()");
        case "notify" -> replace(file, node, target + ".signal()");
        case "notifyAll" -> replace(file, node, target + ".signalAll()");
        case "wait" -> rewriteWait(call, file, target);
        default -> throw new IllegalStateException(node.getNameAsString());
      }
    }

    private void replace(SourceFile file, Node node, String text) {
      rewrites.add(new Rewrite.Replace(file, node, List.of(text)));
    }

    /** {@code wait(0)} waits for ever, {@code await(0)} not at all; only {@code wait} checks. */
    private void rewriteWait(SourceFile.Call call, SourceFile file, String target)
        throws DeclinedException {
      MethodCallExpr node = call.node;
      if (node.getArguments().isEmpty()) {
        replace(file, node, target + ".await()");
        return;
      }
      if (!(node.getParentNode().orElse(null) instanceof ExpressionStmt statement)
          || statement.getParentNode().orElse(null) instanceof LambdaExpr) {
        throw declined(node, call.context, "is no statement of its own");
      }
      Expression timeout = node.getArgument(0);
      Optional<Long> millis = literal(timeout);
      if (millis.isPresent()) {
        long time = millis.get();
        if (node.getArguments().size() == 2) {
          long nanos =
              literal(node.getArgument(1))
                  .orElseThrow(
                      () -> declined(node, call.context, "has nanoseconds that are computed"));
          // As Object.wait rounds them.
          time += nanos > 0 ? 1 : 0;
        }
        String written =
            node.getArguments().size() == 1 ? file.textOf(timeout) : Long.toString(time);
        replace(
            file,
            node,
            time == 0
                ? target + ".await()"
                : target + ".await(" + written + ", " + timeUnit(file) + ")");
        return;
      }
      if (node.getArguments().size() == 2) {
        throw declined(node, call.context, "has nanoseconds");
      }
      if (!(timeout instanceof NameExpr variable) || !Variables.isStable(variable, node)) {
        throw declined(
            node, call.context, "computes its timeout; put it into a local variable first");
      }
      String time = file.textOf(timeout);
      rewrites.add(
          new Rewrite.Replace(
              file,
              statement,
              List.of(
                  "if (" + time + " > 0) {",
                  "\t" + target + ".await(" + time + ", " + timeUnit(file) + ");",
                  "} else if (" + time + " == 0) {",
                  "\t" + target + ".await();",
                  "} else {",
                  "\tthrow new IllegalArgumentException(\"timeout value is negative\");",
                  "}")));
    }

    private static Optional<Long> literal(Expression expression) {
      return switch (expression) {
        case IntegerLiteralExpr number -> Optional.of(number.asNumber().longValue());
        case LongLiteralExpr number -> Optional.of(number.asNumber().longValue());
        default -> Optional.empty();
      };
    }

    private String timeUnit(SourceFile file) {
      return typeName(file, TIME_UNIT) + ".MILLISECONDS";
    }

    private void declare() {
      SourceFile file = owner.file;
      String lockType = typeName(file, REENTRANT_LOCK);
      List<String> declarations = new ArrayList<>();
      String modifiers =
          switch (reach) {
                case PRIVATE -> "private ";
                case PACKAGE -> "";
                case PROTECTED -> "protected ";
                case PUBLIC -> "public ";
              }
              + (isStatic() ? "static " : "")
              + "final ";
      if (inPlace) {
        VariableDeclarator variable = field.getVariable(0);
        replace(file, variable.getType(), lockType);
        replace(file, variable.getInitializer().get(), "new " + lockType + "()");
      } else {
        declarations.add(modifiers + lockType + " " + name + " = new " + lockType + "();");
      }
      if (condition != null) {
        declarations.add(
            modifiers
                + typeName(file, CONDITION)
                + " "
                + condition
                + " = "
                + name
                + ".newCondition();");
      }
      if (field == null) {
        rewrites.add(new Rewrite.AddFields(file, owner, isStatic(), declarations));
      } else if (!declarations.isEmpty()) {
        rewrites.add(new Rewrite.AddFieldsAfter(file, field, declarations));
      }
    }

    /** The simple name, with its import, unless that name is something else in the file. */
    private String typeName(SourceFile file, String qualified) {
      String simple = qualified.substring(qualified.lastIndexOf('.') + 1);
      String inPackage = qualified.substring(0, Math.max(0, qualified.lastIndexOf('.')));
      boolean imported =
          file.unit.getImports().stream()
              .anyMatch(
                  known ->
                      !known.isStatic()
                          && !known.isAsterisk()
                          && known.getNameAsString().equals(qualified));
      if (imported) {
        return simple;
      }
      if (inPackage.equals(file.packageName)) {
        return simple;
      }
      boolean onDemand =
          file.unit.getImports().stream()
              .anyMatch(
                  known ->
                      !known.isStatic()
                          && known.isAsterisk()
                          && known.getNameAsString().equals(inPackage));
      if (onDemand && !sources.hasType(file.packageName, simple)) {
        return simple;
      }
      if (file.names.contains(simple) || sources.hasType(file.packageName, simple)) {
        return qualified;
      }
      rewrites.add(new Rewrite.Import(file, qualified));
      return simple;
    }
  }

  /** What a call waits at or asks for; empty where it is {@code this}. */
  private static Optional<Expression> lockExpression(MethodCallExpr call) {
    return call.getNameAsString().equals("holdsLock")
        ? Optional.of(call.getArgument(0))
        : call.getScope();
  }
}
