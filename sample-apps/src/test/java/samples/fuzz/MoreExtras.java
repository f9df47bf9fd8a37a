package samples.fuzz;

/** More of what may be done with a lock: forms of code that rewrites have to keep right. */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class MoreExtras {
  private interface Extra {
    void add(Domain domain, Statements statements);
  }

  private static final Extra[] ALL = {
    MoreExtras::lockedBeforeTheFields,
    MoreExtras::interfaces,
    MoreExtras::interrupted,
    MoreExtras::clash,
    MoreExtras::definiteAssignment,
    MoreExtras::oneLine,
    MoreExtras::emptyBlock,
    MoreExtras::lockedWhileCreated,
    MoreExtras::jdkSubclass,
    MoreExtras::nativeMethod,
    MoreExtras::stripes,
    MoreExtras::ternary,
    MoreExtras::serializableBelow,
    MoreExtras::readObject,
    MoreExtras::holdsLockReference,
    MoreExtras::locksInMap,
    MoreExtras::throughGenericCall,
    MoreExtras::thrownAcross,
    MoreExtras::resource,
    MoreExtras::roundabout,
    MoreExtras::roundabout,
    MoreExtras::ternary,
    MoreExtras::lockedBeforeTheFields
  };

  private MoreExtras() {}

  static void anyOf(Domain domain, Statements statements, int number) {
    ALL[number % ALL.length].add(domain, statements);
  }

  static int count() {
    return ALL.length;
  }

  /** A method that an initializer above the lock's place calls. */
  private static void lockedBeforeTheFields(Domain domain, Statements statements) {
    if (domain.locksItself() && domain.feature("locked-before-fields")) {
      boolean isStatic = statements.oneIn(2);
      String modifier = isStatic ? "static " : "";
      domain.memberFirst(
          "%sint started = start(3);\n%ssynchronized int start(int k) {\nreturn k + 1;\n}\n"
              .formatted(modifier, modifier));
      domain.afterwards.add("out.append(%s.started)".formatted(domain.object()));
    }
  }

  private static void interfaces(Domain domain, Statements statements) {
    if (domain.feature("interfaces")) {
      domain.afterwards.add(
          "out.append(java.util.Arrays.toString(%s.class.getInterfaces()))"
              .formatted(domain.type()));
    }
  }

  /** An interrupted thread gets the lock, too, and stays interrupted. */
  private static void interrupted(Domain domain, Statements statements) {
    if (domain.feature("interrupted")) {
      domain.member(
          "int %s(int k) throws Exception {\nThread.currentThread().interrupt();\nsynchronized (%s) {\n%s.hit(1);\n}\nif (!Thread.interrupted()) throw new AssertionError(\"not interrupted\");\nreturn k;\n}\n"
              .formatted(domain.newMethod(), domain.lock(), domain.guard()));
    }
  }

  /** Names that a patch may want for itself. */
  private static void clash(Domain domain, Statements statements) {
    if (domain.locksItself() && domain.feature("name-clash")) {
      domain.sources.put("ReentrantLock", "class ReentrantLock {\nint lock;\n}\n");
      if (statements.oneIn(2)) {
        domain.sources.put("Condition", "class Condition {\nint condition;\n}\n");
      }
      domain.member(
          "int lock = 3;\nReentrantLock instanceLock = new ReentrantLock();\nsynchronized int %s(final int k) {\nint lock = k;\n%s.hit(lock);\nint condition = lock + this.lock;\nreturn condition + instanceLock.lock;\n}\n"
              .formatted(domain.newMethod(), domain.guard()));
      domain.afterwards.add("out.append(%s.lock)".formatted(domain.object()));
    }
  }

  private static void definiteAssignment(Domain domain, Statements statements) {
    if (domain.feature("definite-assignment")) {
      domain.member(
          "int %s(int k) throws Exception {\nfinal int a;\nint b;\nsynchronized (%s) {\n%s.hit(k);\na = k + 1;\nif (a > 2) b = 1; else b = 2;\n}\nint c = a;\nRunnable r = () -> %s;\nsynchronized (%s) {\nr.run();\nreturn b + c;\n}\n}\n"
              .formatted(
                  domain.newMethod(),
                  domain.lock(),
                  domain.guard(),
                  domain.guard() + ".hit(a)",
                  domain.lock()));
    }
  }

  private static void oneLine(Domain domain, Statements statements) {
    if (domain.locksItself() && domain.feature("one-line")) {
      String name = domain.newMethod();
      domain.member(
          "synchronized int %s(int k) { %s.hit(k); if (k > 1) { return k; } return 0; }\n"
              .formatted(name, domain.guard()));
      domain.member("synchronized void nothing() {}\n");
    }
  }

  private static void emptyBlock(Domain domain, Statements statements) {
    if (domain.feature("empty-block")) {
      domain.member(
          "int %s(int k) throws Exception {\nsynchronized (%s) {}\nsynchronized (%s) {\n// nothing\n}\nreturn k;\n}\n"
              .formatted(domain.newMethod(), domain.lock(), domain.lock()));
    }
  }

  private static void lockedWhileCreated(Domain domain, Statements statements) {
    if (!domain.hasConstructor()
        && domain.lockIsAField()
        && domain.feature("locked-while-created")) {
      domain.member(
          "{\nsynchronized (%s) {\n%s.hit(1);\n}\n}\n".formatted(domain.lock(), domain.guard()));
    }
  }

  private static void jdkSubclass(Domain domain, Statements statements) {
    if (domain.locksItself()
        && domain.extendsNothing()
        && !domain.has("ternary")
        && !domain.has("cloneable")
        && domain.feature("jdk-subclass")) {
      switch (statements.number(3)) {
        case 0 -> {
          domain.extend("Thread");
          domain.afterwards.add(
              "{\nvar other = %s;\nother.start();\nother.join();\nout.append(other.isAlive());\n}"
                  .formatted(domain.object()));
        }
        case 1 -> {
          domain.extend("java.io.Writer");
          domain.member(
              "int w;\n"
                  + "@Override public void write(char[] c, int a, int b) {\n"
                  + "synchronized (super.lock) {\n"
                  + "int n = w;\n"
                  + "Thread.yield();\n"
                  + "w = n + 1;\n"
                  + "}\n"
                  + "}\n"
                  + "@Override public void flush() {}\n"
                  + "@Override public void close() {}\n");
          domain.operations.add("%s.write(\"x\")".formatted(domain.object()));
          domain.afterwards.add("out.append(%s.w)".formatted(domain.object()));
        }
        default -> {
          domain.extend("java.io.ByteArrayOutputStream");
          domain.member(
              "synchronized void twice() {\n"
                  + "int n = size();\n"
                  + "write(1);\n"
                  + "Thread.yield();\n"
                  + "write(2);\n"
                  + "if (size() != n + 2) throw new AssertionError(\"lost\");\n"
                  + "}\n");
          domain.operations.add("%s.twice()".formatted(domain.object()));
          domain.operations.add("%s.write(k)".formatted(domain.object()));
        }
      }
    }
  }

  private static void nativeMethod(Domain domain, Statements statements) {
    if (statements.oneIn(3) && domain.locksItself() && domain.feature("native-method")) {
      domain.member(
          "native synchronized void missing();\nint %s(int k) {\ntry {\nmissing();\n} catch (UnsatisfiedLinkError e) {\nreturn 1;\n}\nreturn k;\n}\n"
              .formatted(domain.newMethod()));
    }
  }

  private static void stripes(Domain domain, Statements statements) {
    if (domain.feature("stripes")) {
      domain.member(
          "private final Object[] stripes = {new Object(), new Object()};\nprivate final int[] striped = new int[2];\nint %s(int k) {\nsynchronized (stripes[k %% 2]) {\nint n = striped[k %% 2];\nThread.yield();\nstriped[k %% 2] = n + 1;\n}\nreturn k;\n}\nint stripesSum() {\nreturn striped[0] * 1000 + striped[1];\n}\n"
              .formatted(domain.newMethod()));
      domain.afterwards.add("out.append(%s.stripesSum())".formatted(domain.object()));
    }
  }

  private static void ternary(Domain domain, Statements statements) {
    if (!domain.mayBeLockedByTheJdk() && domain.feature("ternary")) {
      domain.member(
          "private final Object odd = new Object();\nint %s(int k) throws Exception {\nsynchronized (k %% 2 == 0 ? %s : odd) {\nif (k %% 2 == 0) %s.hit(k);\n}\nreturn k;\n}\n"
              .formatted(domain.newMethod(), domain.lock(), domain.guard()));
    }
  }

  /** The superclass locks and is not Serializable: its constructor runs for every instance. */
  private static void serializableBelow(Domain domain, Statements statements) {
    if (domain.extendsNothing() && domain.feature("serializable-below")) {
      String base = domain.type() + "Above";
      domain.sources.put(
          base,
          "class %s {\nint above;\nsynchronized int up(int k) {\nint n = above;\nThread.yield();\nabove = n + 1;\nreturn k;\n}\n}\n"
              .formatted(base));
      domain.sources.put(
          domain.type() + "Saved",
          "class %sSaved extends %s implements java.io.Serializable {\nint own;\nint own(int k) {\nsynchronized (this) {\nint n = own;\nThread.yield();\nown = n + 1;\n}\nreturn up(k);\n}\n}\n"
              .formatted(domain.type(), base));
      domain.extend(base);
      domain.operations.add(domain.object() + ".up(k)");
      String type = domain.type() + "Saved";
      domain.afterwards.add(
          Extras.roundTrip("new " + type + "()", type, "own")
              + "\nout.append(java.io.ObjectStreamClass.lookup(%s.class).getSerialVersionUID());\n}"
                  .formatted(type));
    }
  }

  private static void readObject(Domain domain, Statements statements) {
    if (domain.feature("read-object")) {
      String type = domain.type() + "Read";
      String version =
          statements.oneIn(2) ? "private static final long serialVersionUID = 1;\n" : "";
      String field = statements.oneIn(2) ? "mutex" : "this";
      domain.sources.put(
          type,
          "class %s implements java.io.Serializable {\n%sint own;\nprivate transient Object mutex = new Object();\nprivate void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {\nin.defaultReadObject();\nmutex = new Object();\n}\nint own(int k) {\nsynchronized (%s) {\nint n = own;\nThread.yield();\nown = n + 1;\n}\nreturn k;\n}\n}\n"
              .formatted(type, version, field));
      domain.afterwards.add(
          Extras.roundTrip("new " + type + "()", type, "own")
              + "\nout.append(java.io.ObjectStreamClass.lookup(%s.class).getSerialVersionUID());\n}"
                  .formatted(type));
    }
  }

  private static void holdsLockReference(Domain domain, Statements statements) {
    if (domain.feature("holdsLock-reference")) {
      domain.member(
          "boolean %sHolds(int k) throws Exception {\njava.util.function.Predicate<Object> holds = Thread::holdsLock;\nsynchronized (%s) {\n%s.hit(k);\nif (!holds.test(%s)) throw new AssertionError(\"not held\");\n}\nreturn holds.test(%s);\n}\n"
              .formatted(
                  domain.type().toLowerCase(java.util.Locale.ROOT),
                  domain.lock(),
                  domain.guard(),
                  domain.lock(),
                  domain.lock()));
      domain.operations.add(
          "%s.%sHolds(k)"
              .formatted(domain.object(), domain.type().toLowerCase(java.util.Locale.ROOT)));
    }
  }

  private static void locksInMap(Domain domain, Statements statements) {
    if (domain.feature("locks-in-map")) {
      domain.member(
          "private final java.util.Map<Integer, Object> locks = new java.util.concurrent.ConcurrentHashMap<>();\nprivate int one;\nint %s(int k) {\nsynchronized (locks.computeIfAbsent(1, x -> new Object())) {\nint n = one;\nThread.yield();\none = n + 1;\n}\nreturn k;\n}\nint ones() {\nreturn one;\n}\n"
              .formatted(domain.newMethod()));
      domain.afterwards.add("out.append(%s.ones())".formatted(domain.object()));
    }
  }

  private static void throughGenericCall(Domain domain, Statements statements) {
    if (statements.oneIn(2) && domain.feature("generic-call")) {
      domain.member(
          "private static <T> T same(T t) {\nreturn t;\n}\nint %s(int k) throws Exception {\nsynchronized (same(%s)) {\n%s.hit(k);\n}\nreturn k;\n}\n"
              .formatted(domain.newMethod(), domain.lock(), domain.guard()));
    }
  }

  /** An exception that leaves two blocks, one of them in another method. */
  private static void thrownAcross(Domain domain, Statements statements) {
    if (domain.feature("thrown-across")) {
      String name = domain.newMethod();
      domain.member(
          "int %s(int k) throws Exception {\nsynchronized (%s) {\n%s.hit(k);\n%sThrow(k);\n}\nreturn k;\n}\nprivate void %sThrow(int k) {\nsynchronized (%s) {\nif (k %% 2 == 0) throw new IllegalStateException(\"across\");\n}\n}\n"
              .formatted(name, domain.lock(), domain.guard(), name, name, domain.lock()));
    }
  }

  private static void resource(Domain domain, Statements statements) {
    if (domain.feature("resource")) {
      domain.member(
          "int %s(int k) throws Exception {\nAutoCloseable closing = () -> {\nsynchronized (%s) {\n%s.hit(k);\n}\n};\nsynchronized (%s) {\ntry (closing; AutoCloseable other = () -> %s.hit(1)) {\nif (k == 1) return 4;\n%s.hit(k);\n}\n}\nreturn k;\n}\n"
              .formatted(
                  domain.newMethod(),
                  domain.lock(),
                  domain.guard(),
                  domain.lock(),
                  domain.guard(),
                  domain.guard()));
    }
  }

  /** The lock, on a way that static analysis may lose. */
  private static void roundabout(Domain domain, Statements statements) {
    if (domain.mayBeLockedByTheJdk()) {
      return;
    }
    String lock = domain.lock();
    int way = statements.number(10);
    String name = "way" + way;
    if (!domain.feature("roundabout-" + way)) {
      return;
    }
    String before =
        switch (way) {
          case 0 -> "Object mutex = null;\nif (k >= 0) mutex = " + lock + ";\n";
          case 1 -> "Object[] all = {new Object(), " + lock + "};\nObject mutex = all[1];\n";
          case 2 ->
              "java.util.function.Supplier<Object> from = () -> "
                  + lock
                  + ";\nObject mutex = from.get();\n";
          case 3 -> "Object mutex = java.util.List.<Object>of(" + lock + ").get(0);\n";
          case 4 -> "Object mutex = java.util.Objects.requireNonNull(" + lock + ");\n";
          case 5 -> "Object mutex = (Object) " + lock + ";\n";
          case 6 ->
              "Object mutex = switch (k % 2) {\ncase 0 -> new Object();\ndefault -> "
                  + lock
                  + ";\n};\nif (k % 2 == 0) return k;\n";
          case 7 -> "Object mutex = new Object[][] {{" + lock + "}}[0][0];\n";
          case 8 -> "record Box(Object it) {}\nObject mutex = new Box(" + lock + ").it();\n";
          default ->
              "var cell = new java.util.concurrent.atomic.AtomicReference<Object>();\ncell.set("
                  + lock
                  + ");\nObject mutex = cell.get();\n";
        };
    domain.member(
        "int %s(int k) throws Exception {\n%ssynchronized (mutex) {\n%s.hit(k);\n}\nreturn k;\n}\n"
            .formatted(name, before, domain.guard()));
    domain.operations.add(domain.object() + "." + name + "(k)");
  }
}
