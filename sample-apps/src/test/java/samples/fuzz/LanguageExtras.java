package samples.fuzz;

import java.util.List;

/**
 * Forms of the language, and of reflection, in which a lock is named. They draw from numbers of
 * their own: what an older seed writes stays what it was, with one of these added.
 */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class LanguageExtras {
  private interface Extra {
    void add(Domain domain, Statements statements);
  }

  private static final List<Extra> ALL =
      List.of(
          LanguageExtras::expression,
          LanguageExtras::expression,
          LanguageExtras::anotherOfTheName,
          LanguageExtras::inherited,
          LanguageExtras::fieldByReflection,
          LanguageExtras::countedFields,
          LanguageExtras::timeouts,
          LanguageExtras::patterns,
          LanguageExtras::recursion,
          LanguageExtras::beyondAscii,
          LanguageExtras::textBlock,
          LanguageExtras::lambdaInAField);

  private LanguageExtras() {}

  static void anyOf(Domain domain, Statements statements) {
    statements.anyOf(ALL).add(domain, statements);
  }

  /** An expression that always gives the lock. */
  private static void expression(Domain domain, Statements statements) {
    if (domain.mayBeLockedByTheJdk() || !domain.feature("lock-expression")) {
      return;
    }
    String lock = domain.lock();
    String expression =
        switch (statements.number(4)) {
          case 0 -> "mutex = " + lock;
          case 1 -> "k % 2 == 0 ? " + lock + " : " + lock;
          case 2 -> "switch (k % 2) { case 0 -> " + lock + "; default -> " + lock + "; }";
          default -> "(Object) (" + lock + ")";
        };
    method(
        domain,
        "Object mutex;\nsynchronized (%s) {\n%s.hit(k);\n}\n"
            .formatted(expression, domain.guard()));
  }

  /** A field leads to the lock, and changes under it; a variable elsewhere has its name. */
  private static void anotherOfTheName(Domain domain, Statements statements) {
    boolean isField = domain.lockIsAField() && !domain.isStatic();
    boolean isCopied =
        domain.features.stream()
            .anyMatch(f -> f.matches("serializable.*|cloneable|read-object|without-constructor"));
    if (isCopied
        || domain.has("abstract")
        || !(isField || domain.locksItself())
        || !domain.feature("same-name")) {
      return;
    }
    domain.member("private %s next = this;\n".formatted(domain.type()));
    method(
        domain,
        ("var mutex = next;\n"
                + "if (mutex == null) return 0;\n"
                + "synchronized (mutex%s) {\n"
                + "if (mutex != this) return 1;\n"
                + "%s.hit(k);\n"
                + "}\n"
                + "%s own = new %s();\n"
                + "own.swap();\n"
                + "own.swap();\n"
                + "for (%s next = this; next == null; ) next.hashCode();\n")
            .formatted(
                isField ? ".lock" : "",
                domain.guard(),
                domain.type(),
                domain.type(),
                domain.type()));
    domain.member(
        ("private void swap() {\n"
                + "synchronized (next%s) {\n"
                + "next = new %s();\n"
                + "}\n"
                + "for (%s next = this; next == null; ) next.hashCode();\n"
                + "}\n")
            .formatted(isField ? ".lock" : "", domain.type(), domain.type()));
  }

  private static void inherited(Domain domain, Statements statements) {
    if (domain.has("kind-INHERITED_FIELD") && domain.feature("super-field")) {
      method(domain, "synchronized (super.lock) {\n%s.hit(k);\n}\n".formatted(domain.guard()));
    }
  }

  /** The lock as reflection, a handle or {@code Unsafe} gives it. */
  private static void fieldByReflection(Domain domain, Statements statements) {
    if (!domain.lockIsAField()
        || domain.isStatic()
        || domain.has("array-lock")
        || !domain.feature("lock-by-reflection")) {
      return;
    }
    String lookup = "java.lang.invoke.MethodHandles.lookup()";
    String name = statements.oneIn(2) ? "\"lock\"" : "\"lo\" + (k < 0 ? \"\" : \"ck\")";
    String arguments = "(" + domain.type() + ".class, " + name + ", Object.class)";
    String found =
        switch (statements.number(4)) {
          case 0 -> lookup + ".findVarHandle" + arguments + ".get(this)";
          case 1 ->
              "%s.findGetter%s.bindTo(this).invokeWithArguments()".formatted(lookup, arguments);
          case 2 ->
              "java.util.Arrays.stream(%s.class.getDeclaredFields()).filter(f -> f.getName().equals(\"lock\")).findFirst().get().get(this)"
                  .formatted(domain.type());
          default -> "%s.class.getDeclaredField(%s).get(this)".formatted(domain.type(), name);
        };
    method(
        domain,
        ("Object mutex;\ntry {\nmutex = %s;\n} catch (Throwable e) {\nthrow new Exception(e);\n}\n"
                + "synchronized (mutex) {\n%s.hit(k);\n}\n")
            .formatted(found, domain.guard()));
  }

  private static void countedFields(Domain domain, Statements statements) {
    // The what-if writes a serialVersionUID into such a class, as docs/compare.md says.
    if (!domain.has("serializable") && domain.feature("counted-fields")) {
      domain.afterwards.add(
          "out.append(%s.class.getDeclaredFields().length)".formatted(domain.type()));
    }
  }

  private static void timeouts(Domain domain, Statements statements) {
    if (domain.mayBeLockedByTheJdk() || !domain.feature("timeouts")) {
      return;
    }
    String wait =
        statements.anyOf(
            List.of(
                "long ms = 1 + k %% 2;\n%s.wait(ms);\n",
                "int ns = k;\n%s.wait(1, ns);\n",
                "%s.wait(0x1L);\n",
                "try {\n"
                    + "%s.wait(1, 1_000_000);\n"
                    + "k = -1;\n"
                    + "} catch (IllegalArgumentException e) {\n"
                    + "k++;\n"
                    + "}\n"
                    + "if (k < 0) throw new AssertionError(\"waited\");\n",
                "try {\n"
                    + "%s.wait(k - k, -1);\n"
                    + "k = -1;\n"
                    + "} catch (IllegalArgumentException e) {\n"
                    + "k++;\n"
                    + "}\n"
                    + "if (k < 0) throw new AssertionError(\"waited\");\n"));
    method(
        domain,
        ("synchronized (%s) {\n" + wait + "%s.hit(k);\n}\n")
            .formatted(domain.lock(), domain.lock(), domain.guard()));
  }

  private static void patterns(Domain domain, Statements statements) {
    if (domain.feature("patterns")) {
      method(
          domain,
          ("record Pair(int a, Object b) {}\n"
                  + "Object any = new Pair(k, \"s\");\n"
                  + "if (!(any instanceof Pair(int a, var b))) return 1;\n"
                  + "synchronized (%s) {\n"
                  + "switch (any) {\n"
                  + "case Pair(int x, String s) when x > a -> %s.hit(x);\n"
                  + "case Pair p when p.a() == 1 -> {\n"
                  + "return p.a();\n"
                  + "}\n"
                  + "default -> %s.hit(b.hashCode());\n"
                  + "}\n"
                  + "}\n")
              .formatted(domain.lock(), domain.guard(), domain.guard()));
    }
  }

  private static void recursion(Domain domain, Statements statements) {
    if (statements.oneIn(4) && domain.feature("recursion")) {
      domain.member(
          ("int down(int k) throws Exception {\n"
                  + "synchronized (%s) {\n"
                  + "%s.hit(k);\n"
                  + "return between(k);\n"
                  + "}\n"
                  + "}\n"
                  + "int between(int k) throws Exception {\n"
                  + "return k > 0 ? down(k - 1) : 0;\n"
                  + "}\n")
              .formatted(domain.lock(), domain.guard()));
      domain.operations.add(domain.object() + ".down(k)");
    }
  }

  private static void beyondAscii(Domain domain, Statements statements) {
    if (domain.feature("beyond-ascii")) {
      method(
          domain,
          "String größe = \"😀 é\"; /* 🎉 */ synchronized (%s) { /* 日本 */ %s.hit(größe.length()); } // ü\n"
              .formatted(domain.lock(), domain.guard()));
    }
  }

  private static void textBlock(Domain domain, Statements statements) {
    if (domain.feature("text-block")) {
      domain.member(
          ("String text() {\n"
                  + "synchronized (%s) {\n"
                  + "return \"\"\"\n"
                  + "    a\n"
                  + "  \\tb \\\n"
                  + " c\n"
                  + "\"\"\";\n"
                  + "}\n"
                  + "}\n")
              .formatted(domain.lock()));
      domain.afterwards.add(
          "out.append(%s.text().replace(' ', '.').replace('\\n', '|'))".formatted(domain.object()));
    }
  }

  private static void lambdaInAField(Domain domain, Statements statements) {
    if (!domain.hasConstructor() && domain.feature("lambda-in-a-field")) {
      domain.member(
          "final transient Runnable task = () -> {\nsynchronized (%s) {\n%s.hit(1);\n}\n};\n"
              .formatted(domain.lock(), domain.guard()));
      domain.operations.add(domain.object() + ".task.run()");
    }
  }

  private static void method(Domain domain, String body) {
    domain.member(
        "int %s(int k) throws Exception {\n%sreturn k;\n}\n".formatted(domain.newMethod(), body));
  }
}
