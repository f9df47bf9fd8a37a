package samples.fuzz;

import java.util.List;

/**
 * Forms of a source that a patch writes in more than one line, or with a field where none was. They
 * draw from numbers of their own, as {@link LanguageExtras}.
 */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class FormExtras {
  private interface Extra {
    void add(Domain domain, Statements statements);
  }

  private static final List<Extra> ALL =
      List.of(
          FormExtras::computedTimeout,
          FormExtras::objectOnTheWay,
          FormExtras::unset,
          FormExtras::inheritedField,
          (domain, statements) -> {});

  private FormExtras() {}

  static void anyOf(Domain domain, Statements statements) {
    statements.anyOf(ALL).add(domain, statements);
  }

  private static void computedTimeout(Domain domain, Statements statements) {
    if (domain.mayBeLockedByTheJdk() || !domain.feature("computed-timeout")) {
      return;
    }
    String lock = domain.lock();
    String time =
        statements.anyOf(
            List.of(
                "1 + k % 2",
                "Math.max(1, k - 3)",
                "k > 1 ? 1 : 2L",
                "Integer.valueOf(1)",
                "k++ + 1",
                "PAUSE",
                "(long) k * k + 1"));
    String wait = lock + ".wait(" + time + ")";
    String body =
        statements.anyOf(
            List.of(
                wait + ";\n",
                "if (k > 1) " + wait + ";\nelse k++;\n",
                "switch (k % 2) {\ncase 0 -> " + wait + ";\ndefault -> k++;\n}\n",
                "for (int i = 0; i < 2; i++) " + wait + ";\n",
                "try {\n"
                    + lock
                    + ".wait(k - 9);\n"
                    + "} catch (IllegalArgumentException e) {\n"
                    + "k = e.getMessage().length() % 4;\n"
                    + "}\n"));
    domain.member("static final long PAUSE = 1;\n");
    domain.member(
        "int %s(int k) throws Exception {\nsynchronized (%s) {\n%s%s.hit(k);\n}\nreturn k;\n}\n"
            .formatted(domain.newMethod(), lock, body, domain.guard()));
  }

  /** The lock's field, of an object that an expression gives. */
  private static void objectOnTheWay(Domain domain, Statements statements) {
    if (!domain.lockIsAField()
        || domain.isStatic()
        || domain.mayBeLockedByTheJdk()
        || !domain.feature("object-on-the-way")) {
      return;
    }
    String way =
        statements.anyOf(
            List.of(
                "own()", "((TYPE) any)", "all[k % 2]", "own().own()", "(k > 1 ? own() : this)"));
    domain.member("private %s own() {\nreturn this;\n}\n".formatted(domain.type()));
    domain.member(
        ("int %s(int k) throws Exception {\n"
                + "Object any = this;\n"
                + "TYPE[] all = {this, this};\n"
                + "synchronized (%s.lock) {\n"
                + "any = null;\n"
                + "all[0] = null;\n"
                + "all[1] = null;\n"
                + "%s.hit(k);\n"
                + "}\n"
                + "return k;\n"
                + "}\n")
            .formatted(domain.newMethod(), way, domain.guard())
            .replace("TYPE", domain.type()));
  }

  /** A lock that one constructor leaves null. */
  private static void unset(Domain domain, Statements statements) {
    if (domain.feature("unset-lock")) {
      String type = domain.type() + "Unset";
      domain.sources.put(
          type,
          ("class TYPE {\n"
                  + "private Object mutex;\n"
                  + "int n;\n"
                  + "TYPE(boolean some) {\n"
                  + "if (some) mutex = new Object();\n"
                  + "}\n"
                  + "int up() {\n"
                  + "synchronized (mutex) {\n"
                  + "return ++n;\n"
                  + "}\n"
                  + "}\n"
                  + "}\n")
              .replace("TYPE", type));
      domain.afterwards.add(
          ("out.append(new TYPE(true).up());\n"
                  + "try {\n"
                  + "out.append(new TYPE(false).up());\n"
                  + "} catch (NullPointerException e) {\n"
                  + "out.append(\"null\");\n"
                  + "}")
              .replace("TYPE", type));
    }
  }

  /** A subclass in the same file, which inherits no private field. */
  private static void inheritedField(Domain domain, Statements statements) {
    if (domain.feature("inherited-in-file")) {
      String type = domain.type() + "Nest";
      domain.sources.put(
          type,
          ("class TYPE {\n"
                  + "static class Up {\n"
                  + "final java.util.List<Integer> list = new java.util.ArrayList<>();\n"
                  + "}\n"
                  + "static class Low extends Up {\n"
                  + "int add(int k) {\n"
                  + "synchronized (list) {\n"
                  + "list.add(k);\n"
                  + "return list.size() > 0 ? 1 : 0;\n"
                  + "}\n"
                  + "}\n"
                  + "}\n"
                  + "static final Low LOW = new Low();\n"
                  + "static int size(Low low) {\n"
                  + "synchronized (low.list) {\n"
                  + "return low.list.size();\n"
                  + "}\n"
                  + "}\n"
                  + "}\n")
              .replace("TYPE", type));
      domain.operations.add(type + ".LOW.add(k)");
      domain.afterwards.add("out.append(TYPE.size(TYPE.LOW) > 0)".replace("TYPE", type));
    }
  }
}
