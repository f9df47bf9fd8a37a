package samples.fuzz;

import java.util.List;

/**
 * Recursion under the lock: bounded, by several threads at once, and until the stack overflows,
 * after which the lock must be free. It draws from numbers of its own, as {@link LanguageExtras}.
 */
@SuppressWarnings("StringConcatToTextBlock") // Lines of code, put together.
final class RecursionExtras {
  /**
   * A way on which the method comes back.
   *
   * @param again the expression that takes it
   * @param members what that needs; {@code TYPE} and {@code LOCK} are replaced
   * @param implemented an interface; empty if none
   */
  private record Way(String name, String again, String members, String implemented) {}

  private static final String OPERATOR = "java.util.function.IntUnaryOperator";

  private static final String LAMBDA =
      "final transient %s recStep = d -> {\n"
          + "synchronized (LOCK) {\n"
          + "return d == 0 ? 0 : 1 + this.recStep.applyAsInt(d - 1);\n"
          + "}\n"
          + "};\n";

  private static final List<Way> ALL =
      List.of(
          new Way("direct", "rec(d - 1)", "", ""),
          new Way("private", "help(d)", "private int help(int d) {\nreturn rec(d - 1);\n}\n", ""),
          new Way(
              "through-three",
              "recA(d - 1)",
              "int recA(int d) {\nreturn recB(d);\n}\n"
                  + "int recB(int d) {\nreturn recC(d);\n}\n"
                  + "int recC(int d) {\nreturn rec(d);\n}\n",
              ""),
          new Way("lambda", "((" + OPERATOR + ") n -> rec(n)).applyAsInt(d - 1)", "", ""),
          new Way("reference", "((" + OPERATOR + ") this::rec).applyAsInt(d - 1)", "", ""),
          new Way("stream", "java.util.stream.IntStream.of(d - 1).map(this::rec).sum()", "", ""),
          new Way(
              "own-interface",
              "recNext.rec(d - 1)",
              "private final transient TYPERec recNext = this;\n",
              "TYPERec"),
          new Way(
              "jdk-interface",
              "",
              "private final transient "
                  + OPERATOR
                  + " recNext = this;\n"
                  + "@Override public int applyAsInt(int d) {\n"
                  + "synchronized (LOCK) {\n"
                  + "return d == 0 ? 0 : 1 + recNext.applyAsInt(d - 1);\n"
                  + "}\n"
                  + "}\n"
                  + "int rec(int d) {\nreturn applyAsInt(d);\n}\n",
              OPERATOR),
          new Way(
              "lambda-of-own-interface",
              "",
              "interface Step {\nint applyAsInt(int d);\n}\n"
                  + LAMBDA.formatted("Step")
                  + "int rec(int d) {\nreturn recStep.applyAsInt(d);\n}\n",
              ""),
          new Way(
              "lambda-of-jdk-interface",
              "",
              LAMBDA.formatted(OPERATOR) + "int rec(int d) {\nreturn recStep.applyAsInt(d);\n}\n",
              ""),
          new Way(
              "other-class",
              "new Peer().rec(this, d - 1)",
              "static class Peer {\nint rec(TYPE of, int d) {\nreturn of.rec(d);\n}\n}\n",
              ""),
          new Way(
              "constructor",
              "new Made(this, d - 1).n",
              "static class Made {\nfinal int n;\nMade(TYPE of, int d) {\nn = of.rec(d);\n}\n}\n",
              ""),
          new Way(
              "text",
              "",
              "private transient int recLeft;\n"
                  + "private final transient TYPE recSelf = this;\n"
                  + "@Override public String toString() {\n"
                  + "synchronized (LOCK) {\n"
                  + "return recLeft-- <= 0 ? \"\" : \"r\" + recSelf;\n"
                  + "}\n"
                  + "}\n"
                  + "int rec(int d) {\n"
                  + "synchronized (LOCK) {\n"
                  + "recLeft = d;\n"
                  + "return toString().length();\n"
                  + "}\n"
                  + "}\n",
              ""));

  private RecursionExtras() {}

  static void anyOf(Domain domain, Statements statements) {
    Way way = statements.anyOf(ALL);
    boolean isLambdaField = way.name().startsWith("lambda-of");
    if (!statements.oneIn(6)
        || domain.has("recursion")
        || (isLambdaField && domain.hasConstructor())) {
      return;
    }
    domain.feature("recursion-" + way.name());
    String own =
        way.again().isEmpty()
            ? ""
            : "public int rec(int d) {\nsynchronized (LOCK) {\nreturn d == 0 ? 0 : 1 + %s;\n}\n}\n"
                .formatted(way.again());
    domain.member(in(domain, way.members() + own));
    domain.member(
        "int free(int k) {\nsynchronized (%s) {\nreturn k;\n}\n}\n".formatted(domain.lock()));
    if (way.implemented().equals("TYPERec")) {
      domain.sources.put(
          domain.type() + "Rec", in(domain, "interface TYPERec {\nint rec(int d);\n}\n"));
    }
    if (!way.implemented().isEmpty()) {
      domain.implement(in(domain, way.implemented()));
    }
    String object = domain.object();
    domain.operations.add(object + ".rec(k)");
    domain.afterwards.add(
        "out.append(Work.overflows(() -> %s.rec(Integer.MAX_VALUE))).append(%s.rec(3)).append(Work.each(1, k -> %s.free(k)))"
            .formatted(object, object, object));
  }

  private static String in(Domain domain, String text) {
    return text.replace("TYPE", domain.type()).replace("LOCK", domain.lock());
  }
}
