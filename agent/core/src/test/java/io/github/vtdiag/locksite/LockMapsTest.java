package io.github.vtdiag.locksite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.JSR;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RET;
import static org.objectweb.asm.Opcodes.RETURN;

import io.github.vtdiag.locksite.oracle.Constructs;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MethodMonitors.CallSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorRegion.Kind;
import io.github.vtdiag.model.MonitorRegion.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

class LockMapsTest {
  private static final LockExpression A =
      new LockExpression(LockExpression.Kind.PARAMETER, "", "#1");
  private static final LockExpression B =
      new LockExpression(LockExpression.Kind.PARAMETER, "", "#2");

  // ---- bytes that are no class

  @Test
  void bytesThatAreNoClassAreRefusedInOneWay() {
    refused(new byte[0]);
    refused("not a class file, though long enough to look at".getBytes(UTF_8));
    byte[] tooNew = method(code -> code.visitInsn(RETURN));
    tooNew[7] = (byte) 200;
    refused(tooNew);
  }

  @Test
  void aClassCutAnywhereIsRefused() throws IOException {
    byte[] whole = bytes(Constructs.class);
    for (int length = 0; length < whole.length; length += 7) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThrows(IllegalArgumentException.class, () -> read(cut), "cut at " + length);
    }
  }

  @Test
  void damagedBytesAreReadOrRefusedButNothingElse() throws IOException {
    byte[] whole = bytes(Constructs.class);
    Random random = new Random(42);
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = whole.clone();
      for (int j = 0; j < 3; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        read(damaged);
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertTrue(0 < refused && refused < 2_000, "refused: " + refused);
  }

  // ---- code that no Java compiler makes

  @Test
  void aMonitorTakenOnOneBranchOnlyIsNotExact() {
    MethodMonitors method =
        only(
            code -> {
              Label join = new Label();
              code.visitVarInsn(ILOAD, 2);
              code.visitJumpInsn(IFEQ, join);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER);
              call(code);
              code.visitLabel(join);
              call(code);
              code.visitInsn(RETURN);
            });
    assertFalse(method.exact());
    assertEquals(List.of(A), locksAt(method, 6), "on the branch it is held all the same");
    assertEquals(List.of(), locksAt(method, 9), "past the join it is not on every path");
  }

  @Test
  void aReturnWithAMonitorIsNotExact() {
    MethodMonitors method =
        only(
            code -> {
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER);
              call(code);
              code.visitInsn(RETURN);
            });
    assertFalse(method.exact());
    assertEquals(List.of(A), locksAt(method, 2));
  }

  @Test
  void anExitWithoutAnEnterIsNotExact() {
    MethodMonitors method =
        only(
            code -> {
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT);
              code.visitInsn(RETURN);
            });
    assertFalse(method.exact());
    assertEquals(1, method.regions().size());
  }

  @Test
  void monitorsThatPileUpInALoopAreNotExact() {
    MethodMonitors method =
        only(
            code -> {
              Label top = new Label();
              code.visitLabel(top);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER);
              code.visitJumpInsn(GOTO, top);
            });
    assertFalse(method.exact());
  }

  @Test
  void aSubroutineIsNotExactButTheSynchronizedMethodIsKnown() {
    MethodMonitors method =
        onlyMethod(
            generate(
                48,
                ACC_STATIC | ACC_SYNCHRONIZED,
                code -> {
                  Label subroutine = new Label();
                  code.visitVarInsn(ALOAD, 0);
                  code.visitInsn(MONITORENTER);
                  code.visitJumpInsn(JSR, subroutine);
                  code.visitInsn(RETURN);
                  code.visitLabel(subroutine);
                  code.visitVarInsn(ASTORE, 3);
                  code.visitVarInsn(ALOAD, 0);
                  code.visitInsn(MONITOREXIT);
                  code.visitVarInsn(RET, 3);
                }));
    assertFalse(method.exact());
    assertEquals(
        List.of(
            new MonitorRegion(
                Kind.METHOD,
                new LockExpression(LockExpression.Kind.CLASS_LITERAL, "Generated", ""),
                -1,
                -1,
                -1,
                List.of())),
        method.regions());
    assertEquals(
        List.of(method), LockMaps.parse(LockMaps.write(List.of(method), (of, bci) -> true)));
  }

  @Test
  void codeThatNoVerifierPassesIsNotExact() {
    assertFalse(
        only(code -> {
              code.visitInsn(POP); // from an empty stack
              code.visitInsn(MONITORENTER);
              code.visitInsn(RETURN);
            })
            .exact());
    assertFalse(
        only(code -> {
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER);
              code.visitInsn(ACONST_NULL); // and off the end
            })
            .exact());
  }

  @Test
  void monitorsGivenBackInTheOrderTakenArePairedByTheirObject() {
    MethodMonitors method =
        only(
            code -> {
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER); // 1
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITORENTER); // 3
              call(code); // 4
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT); // 8
              call(code); // 9
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITOREXIT);
              code.visitInsn(RETURN);
            });
    assertTrue(method.exact());
    assertEquals(List.of(B, A), locksAt(method, 4));
    assertEquals(List.of(B), locksAt(method, 9));
  }

  @Test
  void unknownObjectsAreGivenBackInnermostFirst() {
    MethodMonitors method =
        only(
            code -> {
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER); // 1
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITORENTER); // 3
              code.visitInsn(ACONST_NULL);
              code.visitInsn(MONITOREXIT); // 5
              call(code); // 6
              code.visitInsn(ACONST_NULL);
              code.visitInsn(MONITOREXIT);
              code.visitInsn(RETURN);
            });
    assertFalse(method.exact(), "with two held it was a guess");
    assertEquals(List.of(A), locksAt(method, 6));
  }

  @Test
  void twoRegionsOnOneLineAreToldApartByTheBci() {
    MethodMonitors method =
        only(
            code -> {
              line(code, 7);
              block(code, 0, LockMapsTest::call);
              block(code, 1, LockMapsTest::call);
              code.visitInsn(RETURN);
            });
    assertTrue(method.exact());
    List<CallSite> calls =
        method.callSites().stream().filter(site -> !isEnter(method, site.bci())).toList();
    assertEquals(List.of(7, 7), calls.stream().map(CallSite::line).toList());
    assertEquals(List.of(A), locksAt(method, calls.getFirst().bci()));
    assertEquals(List.of(B), locksAt(method, calls.getLast().bci()));
  }

  /**
   * Kotlin's nested {@code synchronized}: what loads the inner monitor to release it is covered by
   * the outer handler alone.
   */
  @Test
  void nestedHandlersThatDoNotCoverThemselvesArePaired() {
    MethodMonitors method =
        only(
            code -> {
              Label outerStart = new Label();
              Label innerStart = new Label();
              Label innerEnd = new Label();
              Label inner = new Label();
              Label innerCovered = new Label();
              Label after = new Label();
              Label outerEnd = new Label();
              Label outer = new Label();
              Label done = new Label();
              code.visitTryCatchBlock(innerStart, innerEnd, inner, null);
              code.visitTryCatchBlock(inner, innerCovered, inner, null);
              code.visitTryCatchBlock(outerStart, outerEnd, outer, null);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER); // 1
              code.visitLabel(outerStart);
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITORENTER); // 3
              code.visitLabel(innerStart);
              call(code); // 4
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITOREXIT);
              code.visitLabel(innerEnd);
              code.visitJumpInsn(GOTO, after);
              code.visitLabel(inner);
              code.visitVarInsn(ASTORE, 3);
              code.visitLabel(innerCovered);
              code.visitVarInsn(ALOAD, 1);
              code.visitInsn(MONITOREXIT);
              code.visitVarInsn(ALOAD, 3);
              code.visitInsn(ATHROW);
              code.visitLabel(after);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT);
              code.visitLabel(outerEnd);
              code.visitJumpInsn(GOTO, done);
              code.visitLabel(outer);
              code.visitVarInsn(ASTORE, 3);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT);
              code.visitVarInsn(ALOAD, 3);
              code.visitInsn(ATHROW);
              code.visitLabel(done);
              code.visitInsn(RETURN);
            });
    assertTrue(method.exact());
    assertEquals(List.of(B, A), locksAt(method, 4));
  }

  /** Groovy's {@code return} out of a block: the handler covers it, once more. */
  @Test
  void aHandlerThatCoversTheReturnIsNotReachedFromThere() {
    MethodMonitors method =
        only(
            code -> {
              Label start = new Label();
              Label end = new Label();
              Label again = new Label();
              Label againEnd = new Label();
              Label handler = new Label();
              code.visitTryCatchBlock(start, end, handler, null);
              code.visitTryCatchBlock(again, againEnd, handler, null);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER); // 1
              code.visitLabel(start);
              call(code); // 2
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT); // 6
              code.visitLabel(end);
              code.visitLabel(again);
              code.visitInsn(RETURN); // 7
              code.visitLabel(againEnd);
              code.visitLabel(handler);
              code.visitVarInsn(ALOAD, 0); // 8
              code.visitInsn(MONITOREXIT); // 9
              code.visitInsn(ATHROW);
            });
    assertTrue(method.exact());
    assertEquals(List.of(A), locksAt(method, 2));
    assertEquals(List.of(), locksAt(method, 7));
  }

  /** Kotlin's inlined {@code synchronized}: the handler is not covered, the exit is. */
  @Test
  void aHandlerThatDoesNotCoverItselfIsFollowed() {
    MethodMonitors method =
        only(
            code -> {
              Label start = new Label();
              Label end = new Label();
              Label handler = new Label();
              Label done = new Label();
              code.visitTryCatchBlock(start, end, handler, null);
              line(code, 10);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITORENTER); // 1
              code.visitLabel(start);
              line(code, 11);
              call(code); // 2
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT); // 6
              code.visitLabel(end);
              code.visitJumpInsn(GOTO, done); // 7
              code.visitLabel(handler);
              line(code, 99);
              code.visitVarInsn(ASTORE, 3); // 10
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT); // 12
              code.visitVarInsn(ALOAD, 3); // 13
              code.visitInsn(ATHROW);
              code.visitLabel(done);
              code.visitInsn(RETURN);
            });
    assertTrue(method.exact());
    assertEquals(
        List.of(
            new MonitorRegion(
                Kind.BLOCK, A, 1, 10, 11, List.of(new Range(2, 7), new Range(10, 13)))),
        method.regions(),
        "the handler holds the monitor, but its line is none of the block's");
  }

  @Test
  void whatIsInlinedHasNoLineInTheFile() {
    for (String none :
        new String[] {null, "", "SMAP", "debug=1", "SMAP\nA.kt\nKotlin\n*L\n1#9:1\n"}) {
      assertEquals(Integer.MAX_VALUE, OwnLines.last(none), none);
    }
    assertEquals(
        102,
        OwnLines.last(
            """
            SMAP
            Orders.kt
            Kotlin
            *S Kotlin
            *F
            + 1 Orders.kt
            shop/Orders
            + 2 fake.kt
            kotlin/jvm/internal/FakeKt
            *L
            1#1,102:1
            7#1:104
            1#2:103
            *S KotlinDebug
            *F
            + 1 Orders.kt
            *L
            500#1:500,2
            *E
            """));
  }

  /** What monitorenter throws, it throws without the monitor. */
  @Test
  void aMonitorThatCouldNotBeTakenIsNotHeld() {
    MethodMonitors method =
        only(
            code -> {
              Label start = new Label();
              Label end = new Label();
              Label handler = new Label();
              code.visitTryCatchBlock(start, end, handler, "java/lang/NullPointerException");
              code.visitVarInsn(ALOAD, 0);
              code.visitLabel(start);
              code.visitInsn(MONITORENTER);
              code.visitLabel(end);
              code.visitVarInsn(ALOAD, 0);
              code.visitInsn(MONITOREXIT); // 3
              code.visitInsn(RETURN);
              code.visitLabel(handler);
              code.visitInsn(POP); // 5
              call(code);
              code.visitInsn(RETURN);
            });
    assertTrue(method.exact());
    assertEquals(List.of(new Range(2, 4)), method.regions().getFirst().ranges());
  }

  @Test
  void absurdMethodsAreGivenUpNotFollowedForEver() {
    MethodMonitors deep =
        only(
            code -> {
              for (int i = 0; i < 20_000; i++) {
                code.visitVarInsn(ALOAD, 0);
                code.visitInsn(MONITORENTER);
              }
              code.visitInsn(RETURN);
            });
    assertFalse(deep.exact());
    assertEquals(20_000, deep.callSites().size());
    // 65,535 local variables in each of 51,000 frames.
    MethodMonitors wide =
        onlyMethod(
            generate(
                49,
                ACC_STATIC,
                65_535,
                code -> {
                  for (int i = 0; i < 3_000; i++) {
                    block(code, 0, inner -> {});
                  }
                  code.visitInsn(RETURN);
                }));
    assertFalse(wide.exact());
    // 3,000 handlers for each of 40,000 instructions.
    MethodMonitors guarded =
        only(
            code -> {
              Label start = new Label();
              Label end = new Label();
              for (int i = 0; i < 3_000; i++) {
                code.visitTryCatchBlock(start, end, end, "java/lang/Exception");
              }
              code.visitLabel(start);
              for (int i = 0; i < 10_000; i++) {
                code.visitVarInsn(ALOAD, 0);
                code.visitInsn(MONITORENTER);
                code.visitVarInsn(ALOAD, 0);
                code.visitInsn(MONITOREXIT);
              }
              code.visitInsn(ACONST_NULL);
              code.visitLabel(end);
              code.visitInsn(POP);
              code.visitInsn(RETURN);
            });
    assertFalse(guarded.exact());
  }

  // ---- what javac makes

  @Test
  void everyMethodWithCodeHasItsCallSitesWithLines() throws IOException {
    ClassMonitors monitors = read(bytes(Constructs.class));
    for (MethodMonitors method : monitors.methods()) {
      assertTrue(method.exact(), method.name());
      for (CallSite site : method.callSites()) {
        assertTrue(method.fits(site.bci(), site.line()));
        assertTrue(method.fits(site.bci(), -1));
        assertFalse(method.fits(site.bci(), site.line() + 1));
      }
    }
    MethodMonitors block = monitors.method("blockOnField", "()V").orElseThrow();
    int enter = block.regions().getFirst().enterBci();
    assertTrue(block.fits(enter, block.regions().getFirst().firstLine()));
    assertFalse(block.fits(enter - 1, -1), "a store calls nothing");
    MethodMonitors plain = monitors.method("fail", "()V").orElseThrow();
    assertEquals(List.of(), plain.regions());
    assertFalse(plain.callSites().isEmpty());
  }

  @Test
  void blocksKnowTheirLines() throws IOException {
    MethodMonitors nested =
        read(bytes(Constructs.class)).method("nestedBlocks", "()V").orElseThrow();
    assertEquals(3, nested.regions().size());
    MonitorRegion outer = nested.regions().getFirst();
    List<Integer> spans = new ArrayList<>();
    for (MonitorRegion region : nested.regions()) {
      spans.add(region.firstLine() - outer.firstLine());
      spans.add(region.lastLine() - outer.firstLine());
    }
    assertEquals(List.of(0, 10, 2, 8, 4, 6), spans, "first and last lines, from the outer's first");
  }

  // ---- the text

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n",
        "something else",
        "method",
        "method a ()V",
        "method a ()V exact",
        "method a ()V perhaps\n",
        "method a ()V exact 1\n",
        "method a ()V exact 1:\n",
        "method a ()V exact 01:1\n",
        "method a ()V exact 1:2 1:3\n",
        "method a ()V exact 1:99999999999\n",
        "method a\\q ()V exact\n",
        "method a ()V exact\n\n",
        "method a ()V exact\r\n",
        "region BLOCK THIS   1 1 1\n",
        "method a ()V exact\nregion BLOCK\n",
        "method a ()V exact\nregion LOCK THIS   1 1 1\n",
        "method a ()V exact\nregion BLOCK THAT   1 1 1\n",
        "method a ()V exact\nregion BLOCK THIS   1 1 x\n",
        "method a ()V exact\nregion BLOCK THIS   1 1 1 5\n",
        "method a ()V exact\nregion BLOCK THIS   1 1 1 5-\n",
        "class 1 a.A\n",
        "method a ()V exact 1:1\nclass 1\n",
        "method a ()V exact 1:1\nclass x a.A\n",
        "method a ()V exact 1:1\nclass 2 a.A\n",
        "method a ()V exact 1:1\nclass 1 a.A\nclass 1 a.A\n",
        "method a ()V exact 1:1\nclass 1 a.A b\n",
      })
  void otherTextIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> LockMaps.parse(text));
  }

  @Test
  void theTextIsCompact() {
    MethodMonitors method =
        new MethodMonitors(
            "execute",
            "(I)V",
            List.of(
                new MonitorRegion(Kind.METHOD, LockExpression.THIS, -1, 10, 20, List.of()),
                new MonitorRegion(
                    Kind.BLOCK,
                    new LockExpression(LockExpression.Kind.STATIC_FIELD, "com.example.Foo", "LOCK"),
                    4,
                    12,
                    14,
                    List.of(new Range(5, 9), new Range(12, 20)))),
            true,
            List.of(new CallSite(4, 12), new CallSite(6, 13), new CallSite(8, 13)));
    assertEquals(
        """
        method execute (I)V exact 12:4 13:6,8
        region METHOD THIS   -1 10 20
        region BLOCK STATIC_FIELD com.example.Foo LOCK 4 12 14 5-9 12-20
        """,
        LockMaps.write(List.of(method)));
  }

  @Test
  void methodsThatHoldNothingAreNotWritten() {
    MethodMonitors nothing =
        new MethodMonitors("a", "()V", List.of(), true, List.of(new CallSite(1, 1)));
    assertEquals("", LockMaps.write(List.of(nothing)));
    assertEquals(List.of(), LockMaps.parse(""));
  }

  @Test
  void theClassIsWrittenOnlyOfThoseCallSitesWhereItIsWanted() {
    CallSite created = new CallSite(1, 1, "a.Created");
    CallSite read = new CallSite(5, 1, "a.Read");
    MethodMonitors asks = new MethodMonitors("a", "()V", List.of(), true, List.of(created, read));
    MethodMonitors other = new MethodMonitors("b", "()V", List.of(), true, List.of(created));
    String text =
        LockMaps.write(
            List.of(asks, other), (method, bci) -> method.name().equals("a") && bci == 5);
    assertEquals("method a ()V exact 1:1,5\nclass 5 a.Read\n", text);
    assertEquals(Optional.of(read), LockMaps.parse(text).getFirst().callSite(5));
    assertEquals(Optional.of(new CallSite(1, 1)), LockMaps.parse(text).getFirst().callSite(1));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      List<MethodMonitors> methods =
          random.ints(random.nextInt(4)).mapToObj(ignored -> randomMethod(random)).toList();
      String text = LockMaps.write(methods, (of, bci) -> true);
      assertEquals(methods, LockMaps.parse(text), text);
    }
  }

  private static MethodMonitors randomMethod(Random random) {
    List<MonitorRegion> regions = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      List<Range> ranges =
          random
              .ints(random.nextInt(3), 0, 65_536)
              .mapToObj(from -> new Range(from, from + 1))
              .toList();
      LockExpression.Kind[] kinds = LockExpression.Kind.values();
      regions.add(
          new MonitorRegion(
              random.nextBoolean() ? Kind.BLOCK : Kind.METHOD,
              new LockExpression(
                  kinds[random.nextInt(kinds.length)], randomName(random), randomName(random)),
              random.nextInt(100) - 1,
              random.nextInt(100) - 1,
              random.nextInt(),
              ranges));
    }
    List<CallSite> sites =
        random
            .ints(random.nextInt(6), 0, 1_000)
            .sorted()
            .distinct()
            .mapToObj(bci -> new CallSite(bci, random.nextInt(3) - 1, randomName(random)))
            .toList();
    return new MethodMonitors(
        randomName(random), randomName(random), regions, random.nextBoolean(), sites);
  }

  /** The JVM allows nearly everything in a name. */
  private static String randomName(Random random) {
    String letters = "aZ \n\r\t\\|\"'s:-,.é\u2028\uD83D\uDE00";
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      name.append(letters.charAt(random.nextInt(letters.length())));
    }
    return name.toString();
  }

  // ---- making and reading classes

  private static ClassMonitors read(byte[] classFile) {
    return LockMaps.read(
        classFile, new ClassRef("Generated", ""), "", ClassMonitors.Evidence.LOADED_CLASS);
  }

  private static void refused(byte[] classFile) {
    assertThrows(IllegalArgumentException.class, () -> read(classFile));
  }

  private static byte[] bytes(Class<?> type) throws IOException {
    try (var stream =
        type.getClassLoader().getResourceAsStream(type.getName().replace('.', '/') + ".class")) {
      return stream.readAllBytes();
    }
  }

  private static MethodMonitors onlyMethod(byte[] classFile) {
    List<MethodMonitors> methods = read(classFile).methods();
    assertEquals(1, methods.size());
    return methods.getFirst();
  }

  private static MethodMonitors only(Consumer<MethodVisitor> body) {
    return onlyMethod(method(body));
  }

  /** A class with one method, {@code static void generated(Object, Object, int)}. */
  private static byte[] method(Consumer<MethodVisitor> body) {
    return generate(49, ACC_STATIC, body);
  }

  private static byte[] generate(int version, int access, Consumer<MethodVisitor> body) {
    return generate(version, access, 8, body);
  }

  private static byte[] generate(
      int version, int access, int locals, Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(version, 0, "Generated", null, "java/lang/Object", null);
    MethodVisitor code =
        writer.visitMethod(
            access, "generated", "(Ljava/lang/Object;Ljava/lang/Object;I)V", null, null);
    code.visitCode();
    body.accept(code);
    code.visitMaxs(8, locals);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void line(MethodVisitor code, int line) {
    Label here = new Label();
    code.visitLabel(here);
    code.visitLineNumber(line, here);
  }

  private static void call(MethodVisitor code) {
    code.visitMethodInsn(INVOKESTATIC, "Other", "call", "()V", false);
  }

  /** {@code synchronized (parameter) body} as javac compiles it. */
  private static void block(MethodVisitor code, int parameter, Consumer<MethodVisitor> body) {
    Label start = new Label();
    Label end = new Label();
    Label handler = new Label();
    Label handled = new Label();
    Label done = new Label();
    code.visitTryCatchBlock(start, end, handler, null);
    code.visitTryCatchBlock(handler, handled, handler, null);
    code.visitVarInsn(ALOAD, parameter);
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, 3);
    code.visitInsn(MONITORENTER);
    code.visitLabel(start);
    body.accept(code);
    code.visitVarInsn(ALOAD, 3);
    code.visitInsn(MONITOREXIT);
    code.visitLabel(end);
    code.visitJumpInsn(GOTO, done);
    code.visitLabel(handler);
    code.visitVarInsn(ASTORE, 4);
    code.visitVarInsn(ALOAD, 3);
    code.visitInsn(MONITOREXIT);
    code.visitLabel(handled);
    code.visitVarInsn(ALOAD, 4);
    code.visitInsn(ATHROW);
    code.visitLabel(done);
  }

  private static boolean isEnter(MethodMonitors method, int bci) {
    return method.regions().stream().anyMatch(region -> region.enterBci() == bci);
  }

  private static List<LockExpression> locksAt(MethodMonitors method, int bci) {
    return method.heldAt(bci).stream().map(MonitorRegion::lock).toList();
  }
}
