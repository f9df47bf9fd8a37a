package samples.fuzz;

import java.util.Random;

/** What else may be done with the object that has a lock. */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class Extras {
  private interface Extra {
    void add(Domain domain, Random random, Statements statements);
  }

  private static final Extra[] ALL = {
    Extras::bareNotifyReference,
    Extras::methodReference,
    Extras::handOff,
    Extras::handOff,
    Extras::serializable,
    Extras::serializableWithVersion,
    Extras::cloneable,
    Extras::registry,
    Extras::overridableInConstructor,
    Extras::invoked,
    Extras::lockedFromOutside,
    Extras::defaultMethod,
    Extras::proxy,
    Extras::listener,
    Extras::collected,
    Extras::alias,
    Extras::withoutConstructor,
    Extras::initializerBlock,
    Extras::staticNested,
    Extras::generic,
    Extras::varargs,
    Extras::hashed,
    Extras::guardedByComment,
    Extras::stray
  };

  private Extras() {}

  static void anyOf(Domain domain, Random random, Statements statements) {
    int number = random.nextInt(ALL.length + MoreExtras.count());
    if (number < ALL.length) {
      ALL[number].add(domain, random, statements);
    } else {
      MoreExtras.anyOf(domain, statements, number);
    }
  }

  /** A method that notifies by reference, in a synchronized method. */
  private static void bareNotifyReference(Domain domain, Random random, Statements statements) {
    if (domain.locksItself() && domain.feature("notify-reference")) {
      domain.member(
          "synchronized int %s(int k) {\nRunnable r = this::%s;\nr.run();\n%s.hit(k);\nreturn k;\n}\n"
              .formatted(
                  domain.newMethod(),
                  statements.anyOf(java.util.List.of("notifyAll", "notify")),
                  domain.guard()));
    }
  }

  private static void methodReference(Domain domain, Random random, Statements statements) {
    if (domain.feature("method-reference")) {
      String called = domain.anyReference();
      domain.member(
          "int %s(int k) throws Exception {\nWork.Task task = %s;\ntask.run(k);\nreturn k;\n}\n"
              .formatted(domain.newMethod(), called));
    }
  }

  /** A buffer of one, with waiting. */
  private static void handOff(Domain domain, Random random, Statements statements) {
    if (!domain.feature("hand-off")) {
      return;
    }
    String lock = domain.lock();
    String on = lock.equals("this") && random.nextBoolean() ? "" : lock + ".";
    String wait =
        statements.anyOf(
            java.util.List.of(
                "wait()",
                "wait()",
                "wait(0)",
                "wait(2)",
                "wait(20L)",
                "wait(1, 500)",
                "wait(0, 0)"));
    String notify = "notifyAll()";
    String open =
        domain.locksItself() && random.nextBoolean() ? null : "synchronized (" + lock + ") {\n";
    String head = (open == null ? "synchronized " : "") + "void put(int v) throws Exception {\n";
    String headTake = (open == null ? "synchronized " : "") + "int take() throws Exception {\n";
    String end = open == null ? "}\n" : "}\n}\n";
    String begin = open == null ? "" : open;
    domain.member("private Integer slot;\n");
    domain.member(
        "%s%swhile (slot != null) {\n%s%s;\n}\nslot = v;\n%s.hit(v);\n%s%s;\n%s"
            .formatted(head, begin, on, wait, domain.guard(), on, notify, end));
    domain.member(
        "%s%swhile (slot == null) %s%s;\nint v = slot;\nslot = null;\n%s.hit(v);\n%s%s;\nreturn v;\n%s"
            .formatted(headTake, begin, on, wait, domain.guard(), on, notify, end));
    String d = domain.object();
    domain.afterwards.add(
        "{\nint[] sums = new int[2];\nout.append(Work.each(2, t -> {\nfor (int v = 1; v < 8; v++) %s.put(v);\n}, t -> {\nfor (int v = 1; v < 8; v++) sums[0] += %s.take();\n}, t -> {\nfor (int v = 1; v < 8; v++) %s.put(v);\n}, t -> {\nfor (int v = 1; v < 8; v++) sums[1] += %s.take();\n}));\nout.append(sums[0] + sums[1]);\n}"
            .formatted(d, d, d, d));
  }

  /** Statements in a block that is still open: a written and read instance counts on. */
  static String roundTrip(String object, String type, String counter) {
    return """
    {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (java.io.ObjectOutputStream o = new java.io.ObjectOutputStream(bytes)) {
    o.writeObject(%s);
    }
    %s copy = (%s) new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(bytes.toByteArray())).readObject();
    out.append(copy.%s).append(Work.run(1, 2, 4, k -> copy.%s(k))).append(copy.%s);
    out.append(bytes.size());
    """
        .formatted(object, type, type, counter, counter, counter);
  }

  /** Without a version of its own: the default one must stay. */
  private static void serializable(Domain domain, Random random, Statements statements) {
    serializable(domain, statements, false);
  }

  private static void serializableWithVersion(Domain domain, Random random, Statements statements) {
    serializable(domain, statements, true);
  }

  private static void serializable(Domain domain, Statements statements, boolean hasVersion) {
    if (!domain.extendsNothing() || !domain.feature("serializable")) {
      return;
    }
    domain.implement("java.io.Serializable");
    if (hasVersion) {
      domain.member("private static final long serialVersionUID = 7;\n");
    }
    String to = domain.object();
    String type = domain.type();
    domain.member("int count;\n");
    domain.member(
        statements.oneIn(2)
            ? "synchronized int count(int k) {\n"
                + "int c = count;\n"
                + "Thread.yield();\n"
                + "count = c + 1;\n"
                + "return k;\n"
                + "}\n"
            : "int count(int k) {\nsynchronized (%s) {\nint c = count;\nThread.yield();\ncount = c + 1;\nreturn k;\n}\n}\n"
                .formatted(statements.oneIn(2) ? "this" : type + ".class"));
    domain.operations.add(to + ".count(k)");
    domain.afterwards.add(
        "out.append(java.io.ObjectStreamClass.lookup(%s.class).getSerialVersionUID())"
            .formatted(type));
    // The other lock fields are not Serializable objects: a failure is an answer, too.
    domain.afterwards.add(
        "try "
            + roundTrip(to, type, "count")
            + "} catch (java.io.NotSerializableException | NullPointerException e) {\n"
            + "out.append(e.getClass());\n"
            + "}");
  }

  private static void cloneable(Domain domain, Random random, Statements statements) {
    if (domain.has("jdk-subclass") || !domain.feature("cloneable")) {
      return;
    }
    domain.implement("Cloneable");
    domain.member(
        "int cloned;\n@Override public %s clone() {\ntry {\nreturn (%s) super.clone();\n} catch (CloneNotSupportedException e) {\nthrow new AssertionError(e);\n}\n}\n"
            .formatted(domain.type(), domain.type()));
    domain.member(
        "%sint both(int k) {\n%sint c = cloned;\nThread.yield();\ncloned = c + 1;\nreturn k;\n}%s\n"
            .formatted(
                domain.locksItself() ? "synchronized " : "",
                domain.locksItself() ? "" : "synchronized (" + domain.lock() + ") {\n",
                domain.locksItself() ? "" : "\n}"));
    String d = domain.object();
    // One thread holds the first while another needs the clone's lock, which is its own.
    String independent =
        domain.locksItself()
            ? "synchronized (%s) {\nThread other = Thread.ofPlatform().daemon().start(() -> copy.both(1));\nother.join(5000);\nout.append(other.isAlive());\n}\n"
                .formatted(d)
            : "";
    domain.afterwards.add(
        "{\n%s copy = %s.clone();\n%sout.append(Work.run(1, 2, 4, k -> {\ncopy.both(k);\n%s.both(k);\n})).append(copy.cloned).append(%s.cloned);\n}"
            .formatted(domain.type(), d, statements.oneIn(2) ? independent : "", d, d));
  }

  /** The superclass's constructor shows this object to a registry, which calls it. */
  private static void registry(Domain domain, Random random, Statements statements) {
    if (!domain.extendsNothing() || !domain.feature("registry")) {
      return;
    }
    String base = domain.type() + "Root";
    domain.extend(base);
    domain.sources.put(
        base,
        "abstract class %s {\nstatic int seen;\n%s() {\n%sReg.add(this);\n}\nabstract int early(int k);\n}\n"
            .formatted(base, base, domain.type()));
    domain.sources.put(
        domain.type() + "Reg",
        "final class %sReg {\nprivate static final java.util.List<%s> ALL = new java.util.concurrent.CopyOnWriteArrayList<>();\nstatic void add(%s each) {\nALL.add(each);\n%s}\nstatic int size() {\nreturn ALL.size();\n}\n}\n"
            .formatted(
                domain.type(),
                base,
                base,
                statements.oneIn(2) ? "ALL.get(ALL.size() - 1).early(1);\n" : ""));
    domain.member(
        domain.locksItself()
            ? "@Override synchronized int early(int k) {\nseen++;\nreturn k;\n}\n"
            : "@Override int early(int k) {\nseen++;\nreturn k;\n}\n");
    domain.afterwards.add(
        "out.append(%s.early(1)).append(%s.seen).append(%sReg.size())"
            .formatted(domain.object(), base, domain.type()));
  }

  private static void overridableInConstructor(
      Domain domain, Random random, Statements statements) {
    if (!domain.extendsNothing() || !domain.locksItself() || !domain.feature("early-call")) {
      return;
    }
    String base = domain.type() + "Early";
    domain.extend(base);
    domain.sources.put(
        base,
        "class %s {\nint early;\n%s() {\n%s}\n%svoid init() {\nearly++;\n}\n}\n"
            .formatted(
                base,
                base,
                statements.oneIn(3) ? "" : "init();\n",
                statements.oneIn(2) ? "synchronized " : ""));
    domain.member("@Override synchronized void init() {\nsuper.init();\nearly++;\n}\n");
    domain.afterwards.add("out.append(%s.early)".formatted(domain.object()));
  }

  private static void invoked(Domain domain, Random random, Statements statements) {
    if (domain.feature("invoked")) {
      domain.operations.add(
          "Main.invoke(%s, %s.class, \"%s\", k)"
              .formatted(domain.object(), domain.type(), domain.anyMethod()));
    }
  }

  private static void lockedFromOutside(Domain domain, Random random, Statements statements) {
    String lock = domain.lockFromOutside();
    if (lock != null && domain.feature("locked-from-outside")) {
      String guard = domain.isStatic() ? domain.guard() : domain.object() + ".guard";
      domain.mainMembers.append(
          "static int outside%s(int k) throws Exception {\n%sreturn k;\n}\n"
              .formatted(domain.type(), statements.block(lock, guard)));
      domain.operations.add("Main.outside%s(k)".formatted(domain.type()));
    }
  }

  private static void defaultMethod(Domain domain, Random random, Statements statements) {
    if (domain.feature("default-method")) {
      String name = domain.type() + "Default";
      boolean locks = domain.locksItself() && statements.oneIn(3);
      domain.sources.put(
          name,
          "interface %s {\nGuard theGuard();\nint %s(int k) throws Exception;\ndefault int twice(int k) throws Exception {\n%sreturn %s(k);\n}\n}\n"
              .formatted(
                  name,
                  "called",
                  locks ? "synchronized (this) {\ntheGuard().hit(k);\n}\n" : "",
                  "called"));
      domain.implement(name);
      domain.member(
          "@Override public Guard theGuard() {\nreturn %s;\n}\n".formatted(domain.guard()));
      domain.member(
          "@Override public int called(int k) throws Exception {\nreturn %s(k);\n}\n"
              .formatted(domain.anyMethod()));
      domain.operations.add(domain.object() + ".twice(k)");
    }
  }

  private static void proxy(Domain domain, Random random, Statements statements) {
    if (domain.feature("proxy")) {
      String name = domain.type() + "Face";
      domain.sources.put(
          name, "interface %s {\nint face(int k) throws Exception;\n}\n".formatted(name));
      domain.implement(name);
      domain.member(
          "@Override public int face(int k) throws Exception {\nreturn %s(k);\n}\n"
              .formatted(domain.anyMethod()));
      String locked =
          statements.oneIn(6)
              ? "synchronized (proxy" + name + ") {\nproxy" + name + ".face(k);\n}\n"
              : "proxy" + name + ".face(k);\n";
      domain.mainMembers.append(
          "static final %s proxy%s = (%s) java.lang.reflect.Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {%s.class}, (p, m, a) -> %s.face((Integer) a[0]));\nstatic void through%s(int k) throws Exception {\ntry {\n%s} catch (IllegalStateException e) {\n// thrown on purpose\n}\n}\n"
              .formatted(name, name, name, name, domain.object(), name, locked));
      domain.operations.add("Main.through" + name + "(k)");
    }
  }

  private static void listener(Domain domain, Random random, Statements statements) {
    if (domain.feature("listener")) {
      String list = "listeners" + domain.type();
      domain.mainMembers.append(
          "static final java.util.List<Work.Task> %s = new java.util.concurrent.CopyOnWriteArrayList<>();\nstatic void tell%s(int k) throws Exception {\nfor (Work.Task each : %s) each.run(k);\n}\n"
              .formatted(list, domain.type(), list));
      domain.member(
          "void listen() {\nMain.%s.add(%s);\n}\n".formatted(list, domain.anyReference()));
      domain.operations.add("Main.tell" + domain.type() + "(k)");
      domain.mainMembers.append(
          "static void setUp%s() {\n%s.listen();\n}\n".formatted(domain.type(), domain.object()));
      domain.feature("set-up:setUp" + domain.type());
    }
  }

  private static void collected(Domain domain, Random random, Statements statements) {
    if (domain.feature("collected")) {
      domain.mainMembers.append(
          "static final java.util.List<Object> bag%s = new java.util.concurrent.CopyOnWriteArrayList<>();\n"
              .formatted(domain.type()));
      domain.member(
          "int %s(int k) throws Exception {\nMain.bag%s.add(%s);\nreturn k;\n}\n"
              .formatted(
                  domain.newMethod(),
                  domain.type(),
                  domain.lock().equals("\"" + domain.type() + "\"") ? "this" : domain.lock()));
      domain.afterwards.add("out.append(bag%s.size())".formatted(domain.type()));
    }
  }

  private static void alias(Domain domain, Random random, Statements statements) {
    if (domain.feature("alias")) {
      domain.member(
          "int %s(int k) throws Exception {\n%s mutex = %s;\nsynchronized (mutex) {\n%s.hit(k);\n}\nreturn k;\n}\n"
              .formatted(
                  domain.newMethod(),
                  statements.oneIn(2) ? "var" : "Object",
                  domain.lock(),
                  domain.guard()));
    }
  }

  /** Made without a constructor, as mocks and deserializers do it. */
  private static void withoutConstructor(Domain domain, Random random, Statements statements) {
    if (domain.locksItself() && domain.feature("without-constructor")) {
      domain.member("int raw;\nsynchronized int bare(int k) {\nraw += k;\nreturn raw;\n}\n");
      domain.afterwards.add(
          "out.append(((%s) Main.raw(%s.getClass())).bare(3))"
              .formatted(domain.type(), domain.object()));
    }
  }

  private static void initializerBlock(Domain domain, Random random, Statements statements) {
    if (domain.feature("initializer")) {
      domain.member(
          statements.oneIn(2)
              ? "static int counted%s;\nstatic {\ncounted%s++;\n}\n"
                  .formatted(domain.type(), domain.type())
              : "{\n%s.hit(1);\n}\n".formatted(domain.guard()));
    }
  }

  private static void staticNested(Domain domain, Random random, Statements statements) {
    if (domain.lockFromOutside() != null && domain.feature("static-nested")) {
      String lock =
          domain.isStatic()
              ? domain.lock()
              : domain.lock().equals("this") ? "of" : "of." + domain.lock().replace("this.", "");
      String guard = domain.isStatic() ? domain.guard() : "of.guard";
      domain.member(
          "static class Nested {\nstatic int go(%s of, int k) throws Exception {\n%sreturn k;\n}\n}\nint %s(int k) throws Exception {\nreturn Nested.go(this, k);\n}\n"
              .formatted(domain.type(), statements.block(lock, guard), domain.newMethod()));
    }
  }

  private static void generic(Domain domain, Random random, Statements statements) {
    if (domain.locksItself() && domain.feature("generic-method")) {
      domain.member(
          "synchronized <T extends Comparable<T>> T %sOf(T a, T b) {\n%s.hit(1);\nreturn a.compareTo(b) > 0 ? a : b;\n}\nint %s(int k) {\nreturn %s(k, 3);\n}\n"
              .formatted("max", domain.guard(), domain.newMethod(), "maxOf"));
    }
  }

  private static void varargs(Domain domain, Random random, Statements statements) {
    if (domain.locksItself() && domain.feature("varargs")) {
      domain.member(
          "@Deprecated\n  public final synchronized int sum(final int... all) {int s = 0; for (int a : all) { s += a; %s.hit(a); }\n\n    return s; }\nint %s(int k) {\nreturn sum(k, 1);\n}\n"
              .formatted(domain.guard(), domain.newMethod()));
    }
  }

  /** What a lock field must not get into. */
  private static void hashed(Domain domain, Random random, Statements statements) {
    if (domain.feature("fields-by-reflection")) {
      domain.member(
          "int %s(int k) throws Exception {\nint n = 0;\nfor (var f : %s.class.getDeclaredFields()) if (f.getName().startsWith(\"zz\")) n++;\nreturn n;\n}\n"
              .formatted(domain.newMethod(), domain.type()));
    }
  }

  private static void guardedByComment(Domain domain, Random random, Statements statements) {
    if (domain.locksItself() && domain.feature("comments")) {
      domain.member(
          "/** This is synchronized. */\n/* synchronized */ synchronized /* here */ int %s(int k) // synchronized\n{\n// synchronized (this) {\nString s = \"synchronized (this) {\";\n%s.hit(s.length());\nreturn k;\n}\n"
              .formatted(domain.newMethod(), domain.guard()));
    }
  }

  /** Code that may lock anything. */
  private static void stray(Domain domain, Random random, Statements statements) {
    if (!statements.oneIn(3) || !domain.feature("stray")) {
      return;
    }
    String lock = domain.lockFromOutside();
    if (lock == null) {
      return;
    }
    String guard = domain.isStatic() ? domain.guard() : domain.object() + ".guard";
    domain.mainMembers.append(
        "static int stray%s(Object any, int k) throws Exception {\nsynchronized (any) {\n%s.hit(k);\n}\nreturn k;\n}\n"
            .formatted(domain.type(), guard));
    domain.operations.add("Main.stray%s(%s, k)".formatted(domain.type(), lock));
  }
}
