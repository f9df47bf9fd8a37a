package samples.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** One lock of a generated program, with the classes that take it. */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class Domain {
  /** Which object the lock is. */
  private enum Kind {
    THIS,
    CLASS,
    PRIVATE_FIELD,
    STATIC_FIELD,
    PACKAGE_FIELD,
    PUBLIC_FIELD,
    CONSTRUCTOR_FIELD,
    NOT_FINAL_FIELD,
    NEVER_REASSIGNED_FIELD,
    COLLECTION_FIELD,
    INTERFACE_TYPED_FIELD,
    PASSED_TO_HELPER,
    JDK_LOCKED,
    INTERNED,
    RECORD,
    ENUM,
    INHERITED_FIELD,
    GETTER
  }

  final Map<String, String> sources = new LinkedHashMap<>();
  final Set<String> features = new TreeSet<>();

  /** Statements without a semicolon that threads may run at once; {@code k} chooses their way. */
  final List<String> operations = new ArrayList<>();

  /** Statements of the main thread afterwards; {@code out} takes what must be the same. */
  final List<String> afterwards = new ArrayList<>();

  /** Statements of the main class's initializer, and other members of it. */
  final StringBuilder mainMembers = new StringBuilder();

  private final Random random;
  private final Statements statements;
  private final String type;
  private final String object;
  private final Kind kind;
  private final boolean isStatic;
  private final String lock;
  private final String guard;
  private final StringBuilder members = new StringBuilder();
  private final List<String> methods = new ArrayList<>();
  private final List<String> interfaces = new ArrayList<>();
  private String extended = "";
  private int methodCount;

  Domain(Random random, int number, List<String> others) {
    this.random = random;
    this.statements = new Statements(random, features, others);
    this.type = "D" + number;
    this.object = "Main.d" + number;
    // Half of the locks are plain instances: what the other kinds add is in fewer places.
    this.kind =
        random.nextInt(5) < 2 ? Kind.THIS : Kind.values()[random.nextInt(Kind.values().length)];
    features.add("kind-" + kind);
    this.isStatic = kind == Kind.CLASS || kind == Kind.STATIC_FIELD || kind == Kind.INTERNED;
    this.guard = isStatic ? type + ".GUARD" : kind == Kind.RECORD ? "guard()" : "guard";
    this.lock =
        switch (kind) {
          case THIS, RECORD, ENUM -> "this";
          case CLASS -> type + ".class";
          case STATIC_FIELD -> random.nextBoolean() ? "LOCK" : type + ".LOCK";
          case INTERNED -> random.nextBoolean() ? "\"" + type + "\"" : "BOX";
          case GETTER -> "mutex()";
          default -> random.nextBoolean() ? "lock" : "this.lock";
        };
    switch (kind) {
      case RECORD -> declareRecord();
      case ENUM -> enumeration();
      default -> declareType();
    }
  }

  // ---- types

  private void declareType() {
    field();
    boolean hasSubclass = statements.oneIn(3);
    boolean isAbstract = hasSubclass && statements.oneIn(3);
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      member();
    }
    if (isAbstract) {
      features.add("abstract");
      members.append("abstract int later(int k) throws Exception;\n");
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      Extras.anyOf(this, random, statements);
    }
    Random more = new Random(members.toString().hashCode());
    Statements others = new Statements(more, features, List.of());
    for (int i = more.nextInt(3); i > 0; i--) {
      LanguageExtras.anyOf(this, others);
    }
    Random deep = new Random(members.toString().hashCode() + 1L);
    RecursionExtras.anyOf(this, new Statements(deep, features, List.of()));
    Random forms = new Random(members.toString().hashCode() + 2L);
    FormExtras.anyOf(this, new Statements(forms, features, List.of()));
    String implemented = interfaces.isEmpty() ? "" : " implements " + String.join(", ", interfaces);
    sources.put(
        type,
        "%sclass %s%s%s {\n%s}\n"
            .formatted(isAbstract ? "abstract " : "", type, extended, implemented, members));
    String created = "new " + type + "()";
    if (hasSubclass) {
      created = subclass(isAbstract);
    } else if (statements.oneIn(6) && kind == Kind.THIS) {
      features.add("anonymous-subclass");
      created =
          "new %s() {\n@Override public synchronized int m0(int k) throws Exception {\n%s.hit(k);\nreturn super.m0(k);\n}\n}"
              .formatted(type, guard);
    }
    mainMembers.append("static final %s d%s = %s;\n".formatted(type, type.substring(1), created));
    operations();
    if (statements.oneIn(4)) {
      features.add("two-instances");
      String twin = "twin" + type;
      mainMembers.append("static final %s %s = %s;\n".formatted(type, twin, created));
      for (String method : methods) {
        operations.add("Main." + twin + "." + method + "(k)");
      }
      afterwards.add("out.append(Main.%s.%s)".formatted(twin, isStatic ? "GUARD" : "guard"));
    }
    afterwards.add(
        "out.append(\"%s=\").append(%s.%s)"
            .formatted(type, isStatic ? type : object, isStatic ? "GUARD" : "guard"));
  }

  private void operations() {
    for (String method : methods) {
      operations.add(object + "." + method + "(k)");
    }
  }

  private void field() {
    members.append(
        isStatic
            ? "static final Guard GUARD = new Guard();\n"
            : "final transient Guard guard = new Guard();\n");
    String created =
        statements.anyOf(
            List.of("new Object()", "new Object()", "new Object() {}", "new Object[0]"));
    String name = created.endsWith("[0]") ? "Object[]" : "Object";
    if (created.endsWith("[0]")) {
      created = "new Object[0]";
      features.add("array-lock");
    }
    switch (kind) {
      case PRIVATE_FIELD ->
          members.append("private final %s lock = %s;\n".formatted("Object", created));
      case PASSED_TO_HELPER -> {
        members.append("private final Object lock = new Object();\n");
        members.append(
            "private %sint helped(Object mutex, int k) throws Exception {\nsynchronized (mutex) {\n%s}\nreturn k;\n}\n"
                .formatted(random.nextBoolean() ? "static ".repeat(0) : "", guard + ".hit(k);\n"));
        members.append(
            "int m%d(int k) throws Exception {\nreturn helped(lock, k);\n}\n"
                .formatted(methodCount));
        methods.add("m" + methodCount++);
      }
      case STATIC_FIELD ->
          members.append(
              "%sstatic final %s LOCK = %s;\n"
                  .formatted(random.nextBoolean() ? "private " : "", name, created));
      case PACKAGE_FIELD -> members.append("final %s lock = %s;\n".formatted(name, created));
      case PUBLIC_FIELD -> members.append("public final Object lock = new Object();\n");
      case CONSTRUCTOR_FIELD -> {
        members.append("private final Object lock;\n");
        members.append("%s() {\nthis.lock = new Object();\n}\n".formatted(type));
      }
      case NOT_FINAL_FIELD ->
          members.append(
              "private Object lock = new Object();\nvoid change() {\nlock = new Object();\n}\n");
      case NEVER_REASSIGNED_FIELD -> members.append("private Object lock = new Object();\n");
      case COLLECTION_FIELD -> {
        members.append(
            "private final java.util.List<Integer> lock = new java.util.ArrayList<>();\n");
        members.append(
            "int m%d(int k) {\nsynchronized (lock) {\nlock.add(k);\n%s.hit(k);\nreturn lock.size() > 0 ? 1 : 2;\n}\n}\n"
                .formatted(methodCount, guard));
        methods.add("m" + methodCount++);
        afterwards.add("out.append(" + object + ".size())");
        members.append("int size() {\nsynchronized (lock) {\nreturn lock.size();\n}\n}\n");
      }
      case INTERFACE_TYPED_FIELD -> {
        sources.put(type + "Api", "interface %sApi {\nvoid touch();\n}\n".formatted(type));
        sources.put(
            type + "Mutex",
            "class %sMutex implements %sApi {\nint n;\n@Override public void touch() {\nn++;\n}\n}\n"
                .formatted(type, type));
        members.append("private final %sApi lock = new %sMutex();\n".formatted(type, type));
      }
      case JDK_LOCKED -> jdkLocked();
      case INTERNED -> members.append("private static final Integer BOX = 5;\n");
      case INHERITED_FIELD -> {
        sources.put(
            type + "Base",
            "abstract class %sBase {\n%sfinal Object lock = new Object();\n}\n"
                .formatted(type, random.nextBoolean() ? "protected " : ""));
        extended = " extends " + type + "Base";
      }
      case GETTER -> {
        members.append("private final Object lock = new Object();\n");
        members.append(
            "%sObject mutex() {\nreturn lock;\n}\n"
                .formatted(random.nextBoolean() ? "private " : ""));
      }
      case THIS, CLASS, RECORD, ENUM -> {}
    }
  }

  /** The JDK takes the lock too, so that a lock instead of it would lose counts. */
  private void jdkLocked() {
    switch (random.nextInt(4)) {
      case 0 -> {
        members.append(
            "private final java.util.Vector<Integer> lock = new java.util.Vector<>();\n");
        jdkMethods(
            "int n = lock.size();\n"
                + "%s.hit(k);\n"
                + "if (n != lock.size()) throw new AssertionError(\"lost\");\n",
            "lock.add(k);\n", "lock.size()");
      }
      case 1 -> {
        members.append(
            "private final java.util.Map<Integer, Integer> lock ="
                + " java.util.Collections.synchronizedMap(new java.util.HashMap<>());\n");
        jdkMethods(
            "Integer n = lock.get(1);\n%s.hit(k);\nlock.put(1, n == null ? 1 : n + 1);\n",
            "lock.merge(1, 1, Integer::sum);\n", "lock.get(1)");
      }
      case 2 -> {
        members.append("private final StringBuffer lock = new StringBuffer();\n");
        jdkMethods(
            "int n = lock.length();\n"
                + "%s.hit(k);\n"
                + "lock.append('x');\n"
                + "if (n + 1 != lock.length()) throw new AssertionError(\"lost\");\n",
            "lock.append('y');\n", "lock.length()");
      }
      default -> {
        members.append(
            "private final java.util.Hashtable<Integer, Integer> lock = new"
                + " java.util.Hashtable<>();\n");
        jdkMethods(
            "Integer n = lock.get(1);\n%s.hit(k);\nlock.put(1, n == null ? 1 : n + 1);\n",
            "lock.merge(1, 1, Integer::sum);\n", "lock.get(1)");
      }
    }
  }

  private void jdkMethods(String inside, String outside, String told) {
    members.append(
        "int m%d(int k) {\nsynchronized (lock) {\n%s}\nreturn k;\n}\n"
            .formatted(methodCount, inside.formatted(guard)));
    methods.add("m" + methodCount++);
    members.append("int m%d(int k) {\n%sreturn k;\n}\n".formatted(methodCount, outside));
    methods.add("m" + methodCount++);
    members.append("String told() {\nreturn \"\" + %s;\n}\n".formatted(told));
    afterwards.add("out.append(" + object + ".told())");
  }

  /** A method that takes the lock. */
  private void member() {
    String name = "m" + methodCount++;
    String head = "int " + name + "(int k) throws Exception";
    boolean canBeMethod = kind == Kind.THIS || kind == Kind.CLASS;
    switch (random.nextInt(canBeMethod ? 9 : 5)) {
      case 0, 1, 2 ->
          members.append("%s {\n%sreturn k;\n}\n".formatted(head, statements.block(lock, guard)));
      case 3 -> {
        features.add("inner-class");
        String outer =
            lock.equals("this") ? type + ".this" : lock.replace("this.", type + ".this.");
        String outerGuard = isStatic ? guard : type + ".this.guard";
        members.append(
            "class In%s {\n%s {\n%sreturn k;\n}\n}\nint %s(int k) throws Exception {\nreturn new In%s().%s(k);\n}\n"
                .formatted(name, head, statements.block(outer, outerGuard), name, name, name));
      }
      case 4 -> {
        features.add("lambda-task");
        members.append(
            "%s {\nWork.Task task = j -> {\nsynchronized (%s) {\n%s.hit(j);\n}\n};\ntask.run(k);\nreturn k;\n}\n"
                .formatted(head, lock, guard));
      }
      default -> {
        features.add(isStatic ? "static-synchronized" : "synchronized-method");
        members.append(
            "%s%s {\n%s}\n"
                .formatted(
                    statements.anyOf(
                        isStatic
                            ? List.of("static synchronized ")
                            : List.of("synchronized ", "public synchronized ", "synchronized ")),
                    head,
                    statements.ended(statements.inside(lock, guard, 0))));
      }
    }
    methods.add(name);
  }

  private String subclass(boolean isAbstract) {
    features.add("subclass");
    StringBuilder text = new StringBuilder();
    boolean own = kind == Kind.THIS;
    text.append("class %sSub extends %s {\n".formatted(type, type));
    boolean overrides =
        !isStatic && !members.toString().contains("private int m0(") && !methods.isEmpty();
    if (overrides && statements.oneIn(2)) {
      features.add("override-super-call");
      String modifier = own && random.nextBoolean() ? "synchronized " : "";
      String before = modifier.isEmpty() ? "" : guard + ".hit(k);\n";
      text.append(
          "@Override\npublic %sint m0(int k) throws Exception {\n%sreturn super.m0(k);\n}\n"
              .formatted(modifier, before)
              .replace(
                  " throws Exception",
                  members.toString().contains("int m0(int k) throws") ? " throws Exception" : ""));
    }
    String body = own ? guard + ".hit(k);\n" + statements.inside("this", guard, 1) : "";
    if (isAbstract) {
      text.append(
          "@Override %sint later(int k) throws Exception {\n%sreturn k;\n}\n"
              .formatted(own ? "synchronized " : "", body));
      methods.add("later");
    } else if (own) {
      text.append(
          "int sub(int k) throws Exception {\nsynchronized (this) {\n%s}\nreturn k;\n}\n"
              .formatted(body));
      operations.add("((" + type + "Sub) " + object + ").sub(k)");
    }
    text.append("}\n");
    sources.put(type + "Sub", text.toString());
    return "new " + type + "Sub()";
  }

  private void declareRecord() {
    StringBuilder text = new StringBuilder();
    text.append("record %s(Guard guard) {\n".formatted(type));
    text.append(
        "synchronized int m0(int k) throws Exception {\n%s}\n"
            .formatted(statements.ended(statements.inside(lock, guard, 1))));
    text.append(
        "int m1(int k) throws Exception {\n%sreturn k;\n}\n}\n"
            .formatted(statements.block(lock, guard)));
    sources.put(type, text.toString());
    methods.addAll(List.of("m0", "m1"));
    mainMembers.append(
        "static final %s d%s = new %s(new Guard());\n".formatted(type, type.substring(1), type));
    operations();
    afterwards.add("out.append(%s.guard())".formatted(object));
  }

  private void enumeration() {
    StringBuilder text = new StringBuilder();
    text.append("enum %s {\nONE {\n".formatted(type));
    text.append(
        "@Override synchronized int m0(int k) throws Exception {\nguard.hit(k);\nreturn super.m0(k);\n}\n},\nTWO;\n"
            .replace("super.m0(k)", random.nextBoolean() ? "super.m0(k)" : "1"));
    text.append("final Guard guard = new Guard();\n");
    text.append(
        "synchronized int m0(int k) throws Exception {\n%s}\n"
            .formatted(statements.ended(statements.inside(lock, guard, 1))));
    text.append(
        "int m1(int k) throws Exception {\n%sreturn k;\n}\n}\n"
            .formatted(statements.block(lock, guard)));
    sources.put(type, text.toString());
    methods.addAll(List.of("m0", "m1"));
    mainMembers.append("static final %s d%s = %s.ONE;\n".formatted(type, type.substring(1), type));
    operations();
    operations.add(type + ".TWO.m0(k)");
    afterwards.add("out.append(%s.guard).append(%s.TWO.guard)".formatted(object, type));
  }

  // ---- what the extras need

  String type() {
    return type;
  }

  String object() {
    return object;
  }

  String lock() {
    return lock;
  }

  String guard() {
    return guard;
  }

  boolean isStatic() {
    return isStatic;
  }

  boolean locksItself() {
    return kind == Kind.THIS;
  }

  /** The lock as seen by other classes of the package; null if they cannot see it. */
  String lockFromOutside() {
    return switch (kind) {
      case THIS, ENUM, RECORD -> object;
      case CLASS -> type + ".class";
      case PACKAGE_FIELD, PUBLIC_FIELD, INHERITED_FIELD -> object + ".lock";
      case GETTER ->
          members.toString().contains("private Object mutex") ? null : object + ".mutex()";
      default -> null;
    };
  }

  /** Adds members, once: a feature that is there already is not added again. */
  boolean feature(String name) {
    return features.add(name);
  }

  /** The what-if stops where such a lock and another one meet in a block. */
  boolean mayBeLockedByTheJdk() {
    return kind == Kind.JDK_LOCKED || has("jdk-subclass");
  }

  boolean has(String feature) {
    return features.contains(feature);
  }

  void member(String text) {
    members.append(text);
  }

  /** Above all others. */
  void memberFirst(String text) {
    members.insert(0, text);
  }

  /** Whether the lock is in a field of the class, by the usual name. */
  boolean lockIsAField() {
    return switch (kind) {
      case PRIVATE_FIELD, STATIC_FIELD, PACKAGE_FIELD, PUBLIC_FIELD, PASSED_TO_HELPER -> true;
      default -> false;
    };
  }

  void implement(String name) {
    interfaces.add(name);
  }

  boolean extendsNothing() {
    return extended.isEmpty();
  }

  void extend(String name) {
    extended = " extends " + name;
  }

  boolean hasConstructor() {
    return kind == Kind.CONSTRUCTOR_FIELD;
  }

  String anyMethod() {
    return methods.get(random.nextInt(methods.size()));
  }

  /** A reference to one of the methods. */
  String anyReference() {
    String method = anyMethod();
    boolean isStaticMethod =
        members.toString().matches("(?s).*static( synchronized)? int " + method + "\\(.*");
    return (isStaticMethod ? type : "this") + "::" + method;
  }

  String newMethod() {
    String name = "m" + methodCount++;
    methods.add(name);
    return name;
  }
}
