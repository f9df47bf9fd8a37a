package io.github.vtdiag.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.source.KotlinFile.Site;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a Kotlin file without its compiler; LanguagesIT compares it with classes. */
class KotlinFileTest {

  private static KotlinFile parse(String text) throws DeclinedException {
    return KotlinFile.parse(
        Path.of("shop-main.kt"), SourceText.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String refusal(String text) {
    return assertThrows(DeclinedException.class, () -> parse(text).sites()).getMessage();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "val a = \"never ends",
        "val a = \"\"\"never ends\"\"",
        "val a = \"${f(\"",
        "/* /* one end */",
        "fun f() { (}",
        "fun f() { ",
        "fun `f() { }",
        "val c = 'ab",
      })
  void noKotlin(String text) {
    assertTrue(refusal(text).startsWith("shop-main.kt: line 1 has a "), () -> refusal(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "import kotlinx.coroutines.internal.synchronized | imports another synchronized",
        "import kotlin.synchronized as sync | imports another synchronized",
        "@file:JvmMultifileClass | names the class of its functions in a way",
        "@file:[JvmName(\"A\") Suppress] | names the class of its functions in a way",
        "fun <T> synchronized(l: Any, f: () -> T) = f() | without a block in braces",
        "fun f() = mine.synchronized(l) { } | another synchronized than Kotlin's",
        "val f = ::synchronized | another synchronized than Kotlin's",
        "fun f() = synchronized<Int>(l) { 1 } | another synchronized than Kotlin's",
        "fun f() = synchronized(l, g) | without a block in braces",
        "class A { @get:Synchronized var m = 0 } | accessor that is not written out",
        "class A(@get:Synchronized val m: Int) | accessor that is not written out",
        "class A { @[Synchronized JvmStatic] fun f() { } } | in a way that is not known",
        "class A { @other.Synchronized fun f() { } } | in a way that is not known",
        "val s = Synchronized::class | in a way that is not known",
        "class A { @Synchronized suspend fun f() { } } | suspending function",
        "class A { suspend @Synchronized fun f() { } } | suspending function",
        "fun f() { @Synchronized fun g() { } } | something else than a function or an accessor",
        "val f = @Synchronized fun() { } | something else than a function or an accessor",
        "class A { @Synchronized constructor() } | something else than a function or an accessor",
      })
  void formsThatAreNotKnown(String text, String why) {
    String said = refusal(text);
    assertTrue(said.startsWith("line 1 of shop-main.kt "), said);
    assertTrue(said.contains(why), said);
  }

  @Test
  void whatIsNoCodeTakesNoMonitor() throws DeclinedException {
    KotlinFile file =
        parse(
            """
            #!/usr/bin/env synchronized(it) {
            package shop
            import kotlin.synchronized
            /* synchronized(a) { /* @Synchronized */ } */ // synchronized(a) {
            val a = ~synchronized(a) { \\~ \\${~ + '~' + 'x' + '\\'' + ~it's~
            val b = ~~~synchronized(b) { ~ ~~\\~~~~ + $$~${no} $$$a~
            fun `synchronized { (`() = Unit
            """
                .replace('~', '"'));
    assertEquals(List.of(), file.sites());
    assertEquals("shop", file.packageName);
    assertTrue(file.declares("shop.Shop_mainKt"));
  }

  @Test
  void codeInAStringDoes() throws DeclinedException {
    Site site = parse("val a = \"a ${b[0]} ${ synchronized(a) { \"}$b\" } }\"").sites().getFirst();
    assertEquals("file", site.type().word());
  }

  @Test
  void typesWithABodyHaveTheNamesOfTheirClasses() throws DeclinedException {
    KotlinFile file =
        parse(
            """
            @file:JvmName("Names")
            package a.`in`.b
            annotation class Ann
            data class Line(val x: Int = synchronized(Ann::class) { 1 })
            sealed interface S { object Nil : S; class One<T : Any>(val t: T) : S where T : Comparable<T> }
            enum class E(val n: Int) { A(1) { fun f() = 2 }, B(2); companion object { val c = 1 } }
            enum class F { @Ann("{}") X, Y { fun f() = run { 2 } }, }
            class Outer @Deprecated("x") internal constructor(private val p: () -> Unit = { }) : Base(1) {
              inner class In { fun f() { class Local; object : S { } } }
              companion object Named { fun g() = Unit }
              val c = Outer::class.java
            }
            class Last
            """);
    assertEquals(
        List.of(
            "a.in.b.Names",
            "a.in.b.S",
            "a.in.b.E",
            "a.in.b.E$A",
            "a.in.b.E$Companion",
            "a.in.b.F",
            "a.in.b.F$Y",
            "a.in.b.Outer",
            "a.in.b.Outer$In",
            "",
            "a.in.b.Outer$Named"),
        file.types.stream()
            .sorted(Comparator.comparingInt(KotlinFile.Type::keyword))
            .map(KotlinFile.Type::name)
            .toList());
  }

  @Test
  void sitesKnowTheirLinesAndType() throws DeclinedException {
    KotlinFile file =
        parse(
            """
            class A {
              @Synchronized
              fun <T> T.f(
                x: Int,
              ): Int =
                x
                  .plus(1)

              @Synchronized() private fun g() { }
              val p: Int
                @Synchronized get() = 1
              @get:Synchronized @set:kotlin.jvm.Synchronized
              var q: Int = 0
                get() = field
                set(value) {
                  field = value
                }
              companion object {
                fun h() = kotlin.synchronized(
                  this
                ) l@{ 1 }
              }
            }
            """);
    assertEquals(
        List.of("A 3-7", "A 9-9", "A 11-11", "A 14-14", "A 15-17", "A$Companion 19-21"),
        file.sites().stream()
            .map(site -> site.type().name() + " " + site.firstLine() + "-" + site.lastLine())
            .toList());
    assertTrue(((Site.Method) file.sites().getFirst()).isExtension());
  }
}
