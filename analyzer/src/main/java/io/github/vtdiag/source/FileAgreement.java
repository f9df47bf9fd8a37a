package io.github.vtdiag.source;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.Parameter;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AnnotationExpr;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.LambdaExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.MethodReferenceExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.expr.ThisExpr;
import com.github.javaparser.ast.stmt.Statement;
import com.github.javaparser.ast.stmt.SwitchEntry;
import com.github.javaparser.ast.type.ClassOrInterfaceType;
import com.github.javaparser.ast.type.PrimitiveType;
import io.github.vtdiag.model.Article;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.program.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares one source file with its classes, by what every compiler keeps: monitors, types,
 * members, and the names of calls, creations and accesses on their lines. Classes may have more
 * than their source, which annotation processors and enhancers add; a source may not.
 */
final class FileAgreement {
  /** The annotations for which no tool generates code. */
  private static final Set<String> PLAIN =
      Set.of(
          "Override",
          "Deprecated",
          "SuppressWarnings",
          "SafeVarargs",
          "FunctionalInterface",
          "GuardedBy",
          "Nullable",
          "NonNull",
          "NotNull",
          "Nonnull");

  private final SourceFile file;
  private final List<ClassFile> classes;
  private final CompiledCode code = new CompiledCode();
  private final List<ClassMonitors> locking = new ArrayList<>();

  /** Tells whether the file uses Lombok, which changes modifiers and adds members. */
  private final boolean lombok;

  private FileAgreement(SourceFile file, List<ClassFile> classes) {
    this.file = file;
    this.classes = classes;
    this.lombok =
        file.unit.getImports().stream()
                .anyMatch(each -> each.getNameAsString().startsWith("lombok"))
            || file.unit
                .findFirst(
                    AnnotationExpr.class, each -> each.getNameAsString().startsWith("lombok."))
                .isPresent();
  }

  /** Finds proof that a file is not the source of these classes; empty if there is none. */
  static Optional<DeclinedException> difference(SourceFile file, List<ClassFile> classes) {
    FileAgreement agreement = new FileAgreement(file, classes);
    try {
      agreement.compare();
      return Optional.empty();
    } catch (DeclinedException e) {
      return Optional.of(e);
    }
  }

  /**
   * Returns whether a file that differs from its classes takes or needs a monitor that they do not.
   */
  static boolean locksMore(SourceFile file, List<ClassFile> classes) {
    FileAgreement agreement = new FileAgreement(file, classes);
    agreement.readClasses();
    try {
      new ClassSites(file, agreement.locking);
    } catch (DeclinedException e) {
      return true;
    }
    return file.calls.stream()
        .map(call -> call.node)
        .anyMatch(
            call -> agreement.code.calls(call.getNameAsString(), first(call), last(call)) == 0);
  }

  private void readClasses() {
    for (ClassFile each : classes) {
      if (each.locks()) {
        locking.add(each.monitors());
      }
      code.add(each.bytes());
    }
  }

  private void compare() throws DeclinedException {
    readClasses();
    for (SourceType type : file.types) {
      if (!type.isLocal()) {
        compareMembers(type);
      }
    }
    Set<String> fieldNames = new HashSet<>();
    for (VariableDeclarator variable : file.unit.findAll(VariableDeclarator.class)) {
      if (isNoConstant(variable)) {
        fieldNames.add(variable.getNameAsString());
      }
    }
    try {
      new ClassSites(file, locking);
    } catch (DeclinedException e) {
      if (e.obstacle == Obstacle.SOURCES) {
        throw e;
      }
    }
    compareCalls();
    for (MethodReferenceExpr reference : file.unit.findAll(MethodReferenceExpr.class)) {
      String name = reference.getIdentifier();
      Node around = statement(reference);
      if (!name.equals("new") && code.calls(name, first(around), last(around)) == 0) {
        missing(reference, "refers to " + name);
      }
    }
    for (ObjectCreationExpr creation : file.unit.findAll(ObjectCreationExpr.class)) {
      String name = creation.getType().getNameAsString();
      Node around = statement(creation);
      if (creation.getAnonymousClassBody().isEmpty()
          && code.creations(name, first(around), last(around)) == 0) {
        missing(creation, "creates " + Article.with(name));
      }
    }
    for (NameExpr use : file.unit.findAll(NameExpr.class)) {
      // A name after "case" is a constant, such as one of an enum.
      if (fieldNames.contains(use.getNameAsString())
          && !(use.getParentNode().orElse(null) instanceof SwitchEntry)) {
        compareAccess(use, use.getNameAsString(), use);
      }
    }
    for (FieldAccessExpr use : file.unit.findAll(FieldAccessExpr.class)) {
      if (use.getScope() instanceof ThisExpr && fieldNames.contains(use.getNameAsString())) {
        compareAccess(use, use.getNameAsString(), null);
      }
    }
  }

  /**
   * Compares the calls. Those that share a name and a line are counted; for others only the name is
   * compared.
   */
  private void compareCalls() throws DeclinedException {
    Map<String, List<MethodCallExpr>> ofOneLine = new LinkedHashMap<>();
    for (MethodCallExpr call : file.unit.findAll(MethodCallExpr.class)) {
      String place = call.getNameAsString() + ' ' + first(call) + ' ' + last(call);
      ofOneLine.computeIfAbsent(place, key -> new ArrayList<>()).add(call);
    }
    for (List<MethodCallExpr> calls : ofOneLine.values()) {
      MethodCallExpr one = calls.getFirst();
      int expected = first(one) == last(one) ? calls.size() : 1;
      int found = code.calls(one.getNameAsString(), first(one), last(one));
      if (found < expected) {
        // Code that may be missing is searched only here, because the search is slow.
        List<MethodCallExpr> certain = calls.stream().filter(call -> !mayBeMissing(call)).toList();
        if (found < Math.min(expected, certain.size())) {
          missing(certain.getFirst(), "calls " + one.getNameAsString());
        }
      }
    }
  }

  /**
   * @param name null if this cannot be a local variable
   */
  private void compareAccess(Node use, String field, NameExpr name) throws DeclinedException {
    Node around = statement(use);
    if (code.accesses(field, first(around), last(around)) == 0
        && (name == null
            || Variables.declaration(name).map(FileAgreement::isNoConstant).orElse(false))) {
      missing(use, "uses the field " + field);
    }
  }

  /**
   * Returns whether a variable is a field whose uses the classes show: of a constant they have the
   * value only.
   */
  private static boolean isNoConstant(Node variable) {
    return Variables.isField(variable)
        && variable instanceof VariableDeclarator field
        && !(field.getType() instanceof PrimitiveType)
        && !(field.getType() instanceof ClassOrInterfaceType named
            && named.getNameAsString().equals("String"));
  }

  private void missing(Node node, String what) throws DeclinedException {
    if (!mayBeMissing(node)) {
      throw mismatch("line " + first(node) + " " + what + ", which the classes do not");
    }
  }

  /**
   * Returns whether the classes may lack a node: dead code, or the second of two equal lambdas, for
   * which javac uses the first.
   */
  private boolean mayBeMissing(Node node) {
    if (DeadCode.mayBeLeftOut(node)) {
      return true;
    }
    for (Node at = node; at != null; at = at.getParentNode().orElse(null)) {
      if (at instanceof LambdaExpr lambda && hasTwin(lambda)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasTwin(LambdaExpr lambda) {
    return file.unit.findAll(LambdaExpr.class, lambda::equals).size() > 1;
  }

  private static int first(Node node) {
    return node.getBegin().orElseThrow().line;
  }

  private static int last(Node node) {
    return node.getEnd().orElseThrow().line;
  }

  /**
   * Returns the statement around a node: compilers number the lines of statements, not of their
   * parts.
   */
  private static Node statement(Node node) {
    Node at = node;
    while (!(at instanceof Statement)
        && !(at instanceof BodyDeclaration<?>)
        && at.getParentNode().isPresent()) {
      at = at.getParentNode().get();
    }
    return at;
  }

  private void compareMembers(SourceType type) throws DeclinedException {
    List<ClassFile> named =
        classes.stream().filter(each -> type.canBe(each.dotted())).limit(2).toList();
    if (named.size() != 1) {
      throw mismatch("there is no class " + type.name());
    }
    ClassFile compiled = named.getFirst();
    Set<String> fields = new HashSet<>();
    List<ClassFile.Method> methods =
        new ArrayList<>(
            compiled.methods().values().stream()
                .filter(method -> !method.has(ACC_SYNTHETIC))
                .toList());
    for (BodyDeclaration<?> member : type.members()) {
      switch (member) {
        case FieldDeclaration field -> {
          for (VariableDeclarator variable : field.getVariables()) {
            compareField(compiled, field, variable, type);
            fields.add(variable.getNameAsString());
          }
        }
        case MethodDeclaration method -> {
          Optional<ClassFile.Method> same =
              methods.stream().filter(found -> isSame(found, method)).findFirst();
          if (same.isPresent()) {
            methods.remove(same.get());
          } else {
            throw mismatch(
                "%s has no method %s as on line %d"
                    .formatted(type.name(), method.getNameAsString(), first(method.getName())));
          }
        }
        default -> {}
      }
    }
    if (!mayHaveMore(type)) {
      for (ClassFile.Field field : compiled.fields().values()) {
        if (!field.has(ACC_SYNTHETIC)
            && !field.name().name().contains("$")
            && !fields.contains(field.name().name())) {
          throw mismatch("it has no field " + field.name().name());
        }
      }
      for (ClassFile.Method method : methods) {
        String name = method.name().name();
        if (!name.startsWith("<") && !name.contains("$") && !code.isAdded(method.name())) {
          throw mismatch("it has no method " + name);
        }
      }
    }
  }

  /**
   * Returns whether the class may have more members. Enums and records get some; so may an
   * annotated type, from its annotation processor.
   */
  private boolean mayHaveMore(SourceType type) {
    return lombok
        || !(type.node instanceof ClassOrInterfaceDeclaration declared)
        || isAnnotated(declared)
        || type.members().stream().anyMatch(FileAgreement::isAnnotated);
  }

  private static boolean isAnnotated(BodyDeclaration<?> declared) {
    return declared.getAnnotations().stream()
        .anyMatch(annotation -> !PLAIN.contains(annotation.getName().getIdentifier()));
  }

  private void compareField(
      ClassFile compiled, FieldDeclaration declared, VariableDeclarator variable, SourceType type)
      throws DeclinedException {
    ClassFile.Field field = compiled.fields().get(variable.getNameAsString());
    // Lombok wraps the field of a lazy getter, so that its type differs.
    boolean isChanged = lombok && isAnnotated(declared);
    if (field == null
        || !(isChanged || ErasedTypes.match(variable.getType(), field.descriptor(), 0))) {
      throw mismatch(
          "%s has no field %s as on line %d"
              .formatted(type.name(), variable.getNameAsString(), first(variable)));
    }
    boolean constant = type.isInterface();
    if (!lombok
        && (field.isStatic() != (declared.isStatic() || constant)
            || field.has(ACC_FINAL) != (declared.isFinal() || constant))) {
      throw mismatch(
          "the modifiers of %s on line %d changed"
              .formatted(variable.getNameAsString(), first(variable)));
    }
  }

  private boolean isSame(ClassFile.Method compiled, MethodDeclaration declared) {
    if (!compiled.name().name().equals(declared.getNameAsString())
        || (!lombok && compiled.has(ACC_STATIC) != declared.isStatic())) {
      return false;
    }
    List<ClassDesc> types =
        MethodTypeDesc.ofDescriptor(compiled.name().descriptor()).parameterList();
    if (types.size() != declared.getParameters().size()
        || !ErasedTypes.match(
            declared.getType(),
            MethodTypeDesc.ofDescriptor(compiled.name().descriptor())
                .returnType()
                .descriptorString(),
            0)) {
      return false;
    }
    for (int i = 0; i < types.size(); i++) {
      Parameter parameter = declared.getParameter(i);
      int more = parameter.isVarArgs() ? 1 : 0;
      if (!ErasedTypes.match(parameter.getType(), types.get(i).descriptorString(), more)) {
        return false;
      }
    }
    return true;
  }

  private DeclinedException mismatch(String detail) {
    return DeclinedException.ofSources(
        file.path.getFileName() + " does not match the classes: " + detail);
  }
}
