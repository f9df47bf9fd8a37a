package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassMonitors.Evidence;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Confidence;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MethodMonitors.CallSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorSample;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The class {@code app.A}, with a block on {@code this.lock} from bci 4 to 20, lines 10 to 12. */
class AttributorTest {
  private static final MonitorRegion BLOCK =
      new MonitorRegion(
          MonitorRegion.Kind.BLOCK,
          new LockExpression(LockExpression.Kind.INSTANCE_FIELD, "app.A", "lock"),
          3,
          10,
          12,
          List.of(new MonitorRegion.Range(4, 20)));
  private static final MonitorRegion METHOD =
      new MonitorRegion(MonitorRegion.Kind.METHOD, LockExpression.THIS, -1, 30, 40, List.of());

  private static final Frame PARK = jdk("java.util.concurrent.locks.LockSupport", "park");
  private static final Frame IN_BLOCK = frame("app.A", "block", 8, 11);
  private static final Frame IN_METHOD = frame("app.A", "method", 5, 31);
  private static final Frame ELSEWHERE = frame("app.A", "plain", 2, 50);

  private static ClassMonitors map(Evidence evidence, String loader) {
    return new ClassMonitors(
        new ClassRef("app.A", loader),
        "a.jar",
        evidence,
        List.of(
            new MethodMonitors(
                "block",
                "()V",
                List.of(BLOCK),
                true,
                List.of(new CallSite(3, 10), new CallSite(8, 11), new CallSite(22, 13))),
            new MethodMonitors(
                "method", "()V", List.of(METHOD), true, List.of(new CallSite(5, 31))),
            new MethodMonitors("plain", "()V", List.of(), true, List.of(new CallSite(2, 50)))));
  }

  private static final Attributor.LockMapSource LOADED =
      type -> type.name().equals("app.A") ? List.of(map(Evidence.LOADED_CLASS, "app")) : List.of();
  private static final Attributor.LockMapSource ON_CLASS_PATH =
      type -> type.name().equals("app.A") ? List.of(map(Evidence.CLASS_PATH, "")) : List.of();

  private static Frame frame(String type, String method, int bci, int line) {
    return new Frame(
        new ClassRef(type, "app"), method, "()V", 0, bci, line, Frame.Kind.INTERPRETED);
  }

  private static Frame jdk(String type, String method) {
    return new Frame(new ClassRef(type, ""), method, "()V", 0, 1, 1, Frame.Kind.INTERPRETED);
  }

  private static Frame nativeFrame(String type, String method) {
    return new Frame(
        new ClassRef(type, "app"), method, "()V", Modifier.NATIVE, -1, -1, Frame.Kind.NATIVE);
  }

  private static Frame withFlags(Frame frame, int modifiers) {
    return new Frame(
        frame.type(),
        frame.method(),
        frame.descriptor(),
        modifiers,
        frame.bci(),
        frame.line(),
        frame.kind());
  }

  private static PinEpisode pin(PinEpisode.Kind kind, String reason, boolean cut, Frame... frames) {
    return new PinEpisode(
        kind,
        1_000,
        500,
        new ThreadRef(7, "", true),
        new StackTrace(Arrays.asList(frames), cut),
        Optional.ofNullable(reason),
        Optional.empty(),
        kind == PinEpisode.Kind.PINNED ? Optional.empty() : Optional.of("app.Lock"));
  }

  private static PinEpisode pin(Frame... frames) {
    return pin(PinEpisode.Kind.PINNED, null, false, frames);
  }

  private static List<PinCause.HeldMonitor> monitors(Attribution attribution) {
    return attribution.causes().stream()
        .filter(PinCause.HeldMonitor.class::isInstance)
        .map(PinCause.HeldMonitor.class::cast)
        .toList();
  }

  private static Attribution on21(PinEpisode pin) {
    return new Attributor(21, LOADED).attribute(pin, List.of());
  }

  private static String why(Attribution attribution) {
    assertEquals(1, attribution.causes().size(), attribution::toString);
    return assertInstanceOf(PinCause.Unexplained.class, attribution.primary()).why();
  }

  @Test
  void whatIsNotKnownIsSaid() {
    assertEquals("the event has no stack", why(on21(pin())));
    assertEquals(
        "the stack is cut off before the frame that pins",
        why(on21(pin(PinEpisode.Kind.PINNED, null, true, PARK, ELSEWHERE))));
    Attribution unread = on21(pin(PARK, frame("app.Unseen", "call", 3, 9)));
    assertEquals("no class bytes for the frames that could hold a monitor", why(unread));
    assertTrue(unread.unreadClasses().contains("app.Unseen"), unread::toString);
  }

  @Test
  void aFrameOutsideTheRegionHoldsNothing() {
    Frame after = frame("app.A", "block", 22, 13);
    assertEquals(List.of(), monitors(on21(pin(PARK, after, ELSEWHERE))));
  }

  @Test
  void monitorsDoNotPinSince24() {
    Attribution on25 = new Attributor(25, LOADED).attribute(pin(PARK, IN_BLOCK), List.of());
    assertEquals("no frame on the stack holds a monitor or is native", why(on25));
  }

  @Test
  void bytesThatDoNotFitAreNotBelieved() {
    // The line says 13, after the block; the bci, shifted by another agent's code, says inside.
    Frame shifted = frame("app.A", "block", 8, 13);
    Attribution attribution =
        new Attributor(21, ON_CLASS_PATH).attribute(pin(PARK, shifted), List.of());
    assertEquals(List.of(), monitors(attribution));
    assertTrue(attribution.unreadClasses().contains("app.A"));
  }

  @Test
  void bytesThatDoNotFitLeaveTheLine() {
    Frame shifted = frame("app.A", "block", 14, 11);
    Attribution attribution =
        new Attributor(21, ON_CLASS_PATH).attribute(pin(PARK, shifted), List.of());
    assertEquals(Confidence.LINE_ONLY, monitors(attribution).getFirst().confidence());
    assertTrue(attribution.unreadClasses().contains("app.A"));
  }

  @Test
  void anotherLoadersClassOfTheSameNameIsNotBelieved() {
    ClassMonitors other =
        new ClassMonitors(
            new ClassRef("app.A", "plugin"),
            "",
            Evidence.LOADED_CLASS,
            List.of(
                new MethodMonitors(
                    "plain", "()V", List.of(METHOD), true, List.of(new CallSite(2, 50)))));
    Attributor attributor =
        new Attributor(21, type -> List.of(other, map(Evidence.LOADED_CLASS, "app")));
    assertEquals(List.of(), monitors(attributor.attribute(pin(PARK, ELSEWHERE), List.of())));
  }

  @Test
  void everyHolderIsNamedInnermostFirst() {
    Attribution attribution = on21(pin(PARK, ELSEWHERE, IN_BLOCK, ELSEWHERE, IN_METHOD));
    List<PinCause.HeldMonitor> held = monitors(attribution);
    assertEquals(List.of(2, 4), held.stream().map(PinCause.HeldMonitor::depth).toList());
    assertEquals(
        List.of(BLOCK, METHOD), held.stream().map(monitor -> monitor.site().region()).toList());
    assertEquals(Confidence.LOADED_BYTECODE, held.getFirst().confidence());
    assertEquals(held.getFirst(), attribution.primary());
  }

  @Test
  void theClassPathIsLessSureThanTheLoadedClass() {
    Attribution attribution =
        new Attributor(21, ON_CLASS_PATH).attribute(pin(PARK, IN_BLOCK), List.of());
    assertEquals(Confidence.CLASS_PATH_BYTECODE, monitors(attribution).getFirst().confidence());
  }

  @Test
  void aSynchronizedFlagNeedsNoBytes() {
    Frame flagged = withFlags(frame("app.B", "update", 7, 3), Modifier.SYNCHRONIZED);
    Frame statically =
        withFlags(frame("app.B", "reset", 7, 3), Modifier.SYNCHRONIZED | Modifier.STATIC);
    List<PinCause.HeldMonitor> held = monitors(on21(pin(PARK, flagged, statically)));
    assertEquals(
        List.of("this", "B.class"),
        held.stream().map(monitor -> monitor.site().region().lock().text()).toList());
    assertEquals(Confidence.METHOD_FLAG, held.getFirst().confidence());
  }

  @Test
  void aThreadThatEntersAgainAfterAWaitIsInItsCaller() {
    Frame caller = frame("app.Pool", "take", 4, 9);
    Attribution attribution =
        on21(
            pin(
                PinEpisode.Kind.MONITOR_ENTER,
                null,
                false,
                frame("java.lang.Object", "wait0", 0, -1),
                frame("java.lang.Object", "wait", 0, 366),
                caller));
    assertEquals("java.lang.Object", attribution.primary().type().orElseThrow().name());
    assertEquals("at Pool.java:9", attribution.primary().clause());
    assertTrue(
        attribution.primary().summary().startsWith("app.Pool.take, waits to enter a monitor"),
        attribution.primary().summary());
  }

  @Test
  void waitingToEnterIsACauseOfItsOwnAndItsMonitorIsNotHeld() {
    Frame entering = withFlags(frame("app.B", "update", 0, 3), Modifier.SYNCHRONIZED);
    Attribution attribution =
        on21(pin(PinEpisode.Kind.MONITOR_ENTER, null, false, entering, IN_METHOD));
    assertEquals(
        new PinCause.MonitorEntry(
            entering, "app.Lock", LockExpression.THIS, MonitorId.METHOD, entering),
        attribution.primary());
    assertEquals(
        "waits to enter the monitor of this (app.Lock), which another thread holds",
        attribution.primary().text());
    assertEquals(
        List.of(1), monitors(attribution).stream().map(PinCause.HeldMonitor::depth).toList());
    assertEquals(
        new BlockingOperation(BlockingOperation.Kind.MONITOR_ENTRY, "app.Lock"),
        attribution.operation());
    // One sentence has both, and names the lock once.
    assertEquals(
        "monitor entry on app.Lock, at B.java:3",
        attribution.operation().text() + ", " + attribution.primary().clause());
  }

  @Test
  void aFrameAtItsMonitorenterDoesNotHoldThatMonitor() {
    Frame atEnter = frame("app.A", "block", 3, 10);
    Attribution attribution = on21(pin(PinEpisode.Kind.MONITOR_ENTER, null, false, atEnter));
    assertEquals(List.of(), monitors(attribution));
  }

  @Test
  void anInterpretedFrameIsOneInstructionPastItsMonitorenter() {
    Frame past = frame("app.A", "block", 4, 11);
    Frame interpreted =
        new Frame(
            past.type(),
            past.method(),
            past.descriptor(),
            past.modifiers(),
            past.bci(),
            past.line(),
            Frame.Kind.INTERPRETED);
    assertEquals(3, interpreted.monitorEnterBci());
    Attribution attribution = on21(pin(PinEpisode.Kind.MONITOR_ENTER, null, false, interpreted));
    assertEquals(List.of(), monitors(attribution));
    assertEquals(Set.of(), attribution.unreadClasses());
  }

  private static final Frame OBJECT_WAIT = nativeFrame("java.lang.Object", "wait0");

  /** The lock map of a method that asks for a class at bci 8, behind a {@code monitorenter}. */
  private static Attributor asking(LockExpression lock, Evidence evidence) {
    MonitorRegion region =
        new MonitorRegion(
            MonitorRegion.Kind.BLOCK, lock, 7, 10, 12, List.of(new MonitorRegion.Range(8, 20)));
    MethodMonitors method =
        new MethodMonitors(
            "block",
            "()V",
            List.of(region),
            true,
            List.of(new CallSite(7, 11), new CallSite(8, 11, "app.Slow"), new CallSite(15, 12)));
    return new Attributor(
        21,
        type ->
            List.of(
                new ClassMonitors(
                    new ClassRef("app.A", "app"), "a.jar", evidence, List.of(method))));
  }

  private static Attribution ofIntArray(
      Attributor attributor, PinEpisode.Kind kind, Frame... frames) {
    PinEpisode pin = pin(kind, null, false, frames);
    return attributor.attribute(
        new PinEpisode(
            pin.kind(),
            pin.startNanos(),
            pin.durationNanos(),
            pin.thread(),
            pin.stack(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("[I")),
        List.of());
  }

  private static final LockExpression FIELD =
      new LockExpression(LockExpression.Kind.STATIC_FIELD, "app.A", "LOCK");

  @Test
  void aProgramsOwnIntArrayIsAMonitorAndNoClass() {
    Attributor attributor = asking(FIELD, Evidence.CLASS_PATH);
    assertEquals(
        new PinCause.ObjectWait(IN_BLOCK, "[I"),
        ofIntArray(attributor, PinEpisode.Kind.MONITOR_WAIT, OBJECT_WAIT, IN_BLOCK).primary());
    assertInstanceOf(
        PinCause.MonitorEntry.class,
        ofIntArray(attributor, PinEpisode.Kind.MONITOR_ENTER, OBJECT_WAIT, IN_BLOCK).primary(),
        "entered again after Object.wait");
    assertEquals(
        new PinCause.MonitorEntry(IN_BLOCK, "[I", FIELD, 7, IN_BLOCK),
        ofIntArray(attributor, PinEpisode.Kind.MONITOR_ENTER, IN_BLOCK).primary());
    Frame compiled = new Frame(IN_BLOCK.type(), "block", "()V", 0, 7, 10, Frame.Kind.COMPILED);
    PinCause entry = ofIntArray(attributor, PinEpisode.Kind.MONITOR_ENTER, compiled).primary();
    assertEquals(new PinCause.MonitorEntry(compiled, "[I", FIELD, 7, compiled), entry);
    assertEquals(
        "waits to enter the monitor of A.LOCK (int[]), which another thread holds", entry.text());
  }

  @Test
  void onlyAnIntArrayIsTheLockOfAClass() {
    Attribution wait =
        asking(FIELD, Evidence.CLASS_PATH)
            .attribute(pin(PinEpisode.Kind.MONITOR_WAIT, null, false, IN_BLOCK), List.of());
    assertEquals(new PinCause.ObjectWait(IN_BLOCK, "app.Lock"), wait.primary());
  }

  @Test
  void withoutBytesAnEntryIntoAnIntArrayIsNotExplained() {
    Attribution attribution =
        ofIntArray(new Attributor(21, type -> List.of()), PinEpisode.Kind.MONITOR_ENTER, ELSEWHERE);
    assertTrue(why(attribution).contains("no class bytes tell which"));
  }

  @Test
  void aWaitForAClassIsNamedByTheInstructionThatAsksForIt() {
    Attributor attributor = asking(LockExpression.THIS, Evidence.CLASS_PATH);
    Attribution wait = ofIntArray(attributor, PinEpisode.Kind.MONITOR_WAIT, IN_BLOCK, IN_METHOD);
    assertEquals(new PinCause.AwaitedInitialization("app.Slow"), wait.primary());
    assertEquals(BlockingOperation.Kind.CLASS_INITIALIZATION, wait.operation().kind());
    assertEquals(
        "block",
        monitors(wait).getFirst().site().method(),
        "what the frame holds meanwhile must go too");
    assertEquals(
        new PinCause.AwaitedInitialization("app.Slow"),
        ofIntArray(attributor, PinEpisode.Kind.MONITOR_ENTER, IN_BLOCK).primary(),
        "no this is an int[]");
  }

  @Test
  void aWaitForAClassStaysOneWhereNothingSaysWhich() {
    Attributor nothingRead = new Attributor(21, type -> List.of());
    PinCause unknown = new PinCause.AwaitedInitialization("");
    assertEquals(
        unknown, ofIntArray(nothingRead, PinEpisode.Kind.MONITOR_WAIT, IN_BLOCK).primary());
    Frame first = frame("app.A", "plain", 0, 49);
    assertEquals(unknown, ofIntArray(nothingRead, PinEpisode.Kind.MONITOR_ENTER, first).primary());
    Frame reflection = nativeFrame("jdk.internal.misc.Unsafe", "ensureClassInitialized0");
    assertEquals(
        unknown,
        ofIntArray(
                asking(FIELD, Evidence.CLASS_PATH),
                PinEpisode.Kind.MONITOR_ENTER,
                reflection,
                IN_BLOCK)
            .primary());
    Frame elsewhereOnTheLine = frame("app.A", "block", 15, 12);
    assertEquals(
        unknown,
        ofIntArray(
                asking(FIELD, Evidence.CLASS_PATH),
                PinEpisode.Kind.MONITOR_WAIT,
                elsewhereOnTheLine)
            .primary());
  }

  @Test
  void aRecordedLockMapThatLeavesAMethodOutSaysThatItEntersNothing() {
    assertEquals(
        new PinCause.AwaitedInitialization(""),
        ofIntArray(asking(FIELD, Evidence.LOADED_CLASS), PinEpisode.Kind.MONITOR_ENTER, ELSEWHERE)
            .primary());
  }

  @Test
  void classForNameIsAskedByItsCaller() {
    Attribution wait =
        ofIntArray(
            asking(FIELD, Evidence.CLASS_PATH),
            PinEpisode.Kind.MONITOR_WAIT,
            nativeFrame("java.lang.Class", "forName0"),
            jdk("java.lang.Class", "forName"),
            IN_BLOCK);
    assertEquals(new PinCause.AwaitedInitialization("app.Slow"), wait.primary());
  }

  @Test
  void objectWaitKeepsTheCarrierOn21AndItsNativeMethodIsNotBlamed() {
    Frame wait0 = nativeFrame("java.lang.Object", "wait0");
    Attribution attribution =
        on21(
            pin(
                PinEpisode.Kind.MONITOR_WAIT,
                null,
                false,
                wait0,
                jdk("java.lang.Object", "wait"),
                IN_BLOCK));
    assertEquals(new PinCause.ObjectWait(IN_BLOCK, "app.Lock"), attribution.primary());
    assertTrue(
        attribution.causes().stream().noneMatch(NativeFrame.class::isInstance),
        attribution::toString);
  }

  @Test
  void aMonitorThatObjectWaitReleasedIsNotHeldMeanwhile() {
    Frame wait = jdk("java.lang.Object", "wait");
    Attribution alone = on21(pin(PinEpisode.Kind.MONITOR_WAIT, null, false, wait, IN_BLOCK));
    assertEquals(List.of(alone.primary()), alone.current());
    assertEquals(2, alone.causes().size(), "a rewrite still has to replace it");
    // Its caller holds another monitor all the while.
    Attribution both =
        on21(pin(PinEpisode.Kind.MONITOR_WAIT, null, false, wait, IN_BLOCK, IN_METHOD));
    assertEquals(
        List.of("method"),
        both.current().stream()
            .filter(PinCause.HeldMonitor.class::isInstance)
            .map(cause -> ((PinCause.HeldMonitor) cause).site().method())
            .toList());
    // Only the caller of the method that waits holds one: it has to be that of the object.
    Attribution outside =
        on21(pin(PinEpisode.Kind.MONITOR_WAIT, null, false, wait, ELSEWHERE, IN_METHOD));
    assertEquals(List.of(outside.primary()), outside.current());
    // Two hold one, and neither is known to be that of the object.
    Attribution unknown =
        on21(pin(PinEpisode.Kind.MONITOR_WAIT, null, false, wait, ELSEWHERE, IN_METHOD, IN_BLOCK));
    assertEquals(unknown.causes(), unknown.current());
    // Nothing else than Object.wait releases one.
    Attribution sleeping = on21(pin(PinEpisode.Kind.PINNED, null, false, PARK, IN_BLOCK));
    assertEquals(sleeping.causes(), sleeping.current());
  }

  @Test
  void nativeFramesAndInitializersPinOnBothSides() {
    Frame callback = nativeFrame("app.Native", "each");
    Frame initializer =
        new Frame(
            new ClassRef("app.Config", "app"),
            "<clinit>",
            "()V",
            Modifier.STATIC,
            3,
            4,
            Frame.Kind.INTERPRETED);
    PinEpisode on21 = pin(PARK, initializer, callback);
    PinEpisode on25 =
        pin(
            PinEpisode.Kind.PINNED,
            "Native or VM frame on stack",
            false,
            PARK,
            initializer,
            callback);
    List<PinCause> causes =
        List.of(
            new PinCause.ClassInitializer(1, initializer),
            new NativeFrame(
                2, callback, NativeFrame.Kind.JNI, Optional.empty(), Optional.of(initializer)));
    assertEquals(causes, on21(on21).causes());
    assertEquals(causes, new Attributor(25, LOADED).attribute(on25, List.of()).causes());
  }

  private static final Frame LAMBDA_FORM = jdk("java.lang.invoke.LambdaForm$MH", "invoke");
  private static final Frame UPCALL = jdk("jdk.internal.foreign.abi.UpcallStub", "invoke");
  private static final Frame DOWNCALL = jdk("jdk.internal.foreign.abi.DowncallStub", "invoke");
  private static final Frame COMPARE = frame("app.Sorting", "compare", 4, 20);
  private static final Frame SORT = frame("app.Sorting", "sort", 9, 40);

  private static List<PinCause> on25(Frame... frames) {
    PinEpisode pin = pin(PinEpisode.Kind.PINNED, "Native or VM frame on stack", false, frames);
    return new Attributor(25, LOADED).attribute(pin, List.of()).causes();
  }

  @Test
  void aMethodHandleOrAStubThatWasNotCalledBackIsNoNativeCall() {
    PinCause hidden = new PinCause.HiddenVmFrame("Native or VM frame on stack");
    assertEquals(List.of(hidden), on25(PARK, COMPARE, LAMBDA_FORM, SORT));
    assertEquals(List.of(hidden), on25(PARK, COMPARE, LAMBDA_FORM, DOWNCALL, LAMBDA_FORM, SORT));
    assertEquals(List.of(hidden), on25(PARK, COMPARE, LAMBDA_FORM, UPCALL, LAMBDA_FORM, SORT));
    assertEquals(List.of(hidden), on25(PARK, UPCALL, COMPARE, DOWNCALL, SORT));
  }

  @Test
  void aForeignCallIsNamedByWhoCalledAndWhoWasCalledBack() {
    NativeFrame sorting =
        new NativeFrame(7, SORT, NativeFrame.Kind.FFM, Optional.of(SORT), Optional.of(COMPARE));
    Frame[] stack = {
      PARK, COMPARE, LAMBDA_FORM, UPCALL, LAMBDA_FORM, DOWNCALL, LAMBDA_FORM, SORT, IN_METHOD
    };
    assertEquals(List.of(sorting), on25(stack));
    assertEquals("foreign function that calls back Sorting.compare", sorting.text());
    Attribution on21 = on21(pin(stack));
    assertEquals(sorting, on21.primary());
    assertEquals(1, monitors(on21).size(), on21::toString);
    assertFalse(on21.unreadClasses().contains(DOWNCALL.type().name()), "stubs lock nothing");
  }

  @Test
  void aForeignCallWithoutSpecializedStubsIsOne() {
    Frame up = jdk("jdk.internal.foreign.abi.UpcallLinker", "invokeInterpBindings");
    Frame down = jdk("jdk.internal.foreign.abi.DowncallLinker", "invokeInterpBindings");
    Frame inner = jdk("jdk.internal.foreign.abi.DowncallLinker", "invoke");
    assertEquals(
        List.of(
            new NativeFrame(
                7, SORT, NativeFrame.Kind.FFM, Optional.of(SORT), Optional.of(COMPARE))),
        on25(PARK, COMPARE, up, LAMBDA_FORM, inner, down, LAMBDA_FORM, SORT));
  }

  private static Attribution inNativeCode(int jdk, Frame... frames) {
    PinEpisode pin = pin(PinEpisode.Kind.NATIVE, null, false, frames);
    return new Attributor(jdk, LOADED).attribute(pin, List.of());
  }

  @Test
  void nativeCodeThatNoFrameShowsIsNotMadeUp() {
    assertEquals("the event has no stack", why(inNativeCode(25)));
    assertEquals(
        "blocked in native code that the stack does not show",
        why(inNativeCode(25, COMPARE, SORT)));
    assertEquals(
        "blocked in native code that the stack does not show",
        why(inNativeCode(25, LAMBDA_FORM, UPCALL, COMPARE, DOWNCALL)));
  }

  @Test
  void blockingInNativeCodeIsTheCallAndTheMonitorsAroundIt() {
    Frame step = nativeFrame("app.Native", "step");
    NativeFrame call =
        new NativeFrame(0, step, NativeFrame.Kind.JNI, Optional.of(SORT), Optional.empty());
    Attribution on25 = inNativeCode(25, step, SORT, IN_METHOD);
    assertEquals(List.of(call), on25.causes());
    assertEquals("native method that blocks, called by Sorting.sort", on25.primary().text());
    assertEquals("native code", on25.operation().kind().text());
    Attribution on21 = inNativeCode(21, step, SORT, IN_METHOD);
    assertEquals(call, on21.primary());
    assertEquals(1, monitors(on21).size(), on21::toString);
    Frame read = withFlags(jdk("java.io.FileInputStream", "readBytes"), Modifier.NATIVE);
    assertEquals("native method of the JDK that blocks", inNativeCode(25, read).primary().text());
  }

  @Test
  void blockingInAForeignFunctionIsItsCaller() {
    PinCause call =
        new NativeFrame(3, SORT, NativeFrame.Kind.FFM, Optional.of(SORT), Optional.empty());
    assertEquals(
        List.of(call),
        inNativeCode(25, LAMBDA_FORM, DOWNCALL, LAMBDA_FORM, SORT, IN_METHOD).causes());
    assertEquals("foreign function that blocks", call.text());
  }

  @Test
  void aNativeMethodThatCallsBackByAnUpcallIsOneCall() {
    Frame step = nativeFrame("app.Native", "step");
    NativeFrame call =
        new NativeFrame(4, step, NativeFrame.Kind.JNI, Optional.of(SORT), Optional.of(COMPARE));
    assertEquals(List.of(call), on25(PARK, COMPARE, UPCALL, LAMBDA_FORM, step, SORT));
    assertEquals(
        "native method that calls back Sorting.compare, called by Sorting.sort", call.text());
  }

  @Test
  void theJdksOwnNativeMethodsAreSaidToBeIts() {
    Frame invoke =
        new Frame(
            new ClassRef("jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor", ""),
            "invoke0",
            "()V",
            Modifier.NATIVE,
            -1,
            -1,
            Frame.Kind.NATIVE);
    assertEquals(
        List.of(
            new NativeFrame(
                2, invoke, NativeFrame.Kind.JDK, Optional.of(SORT), Optional.of(COMPARE))),
        on25(PARK, COMPARE, invoke, SORT));
  }

  @Test
  void theReasonStaysWhereTheStackShowsNothing() {
    for (String reason :
        List.of("Native or VM frame on stack", "Freeze or preempt failed (2)", "New in JDK 31")) {
      PinEpisode pin = pin(PinEpisode.Kind.PINNED, reason, false, PARK, IN_BLOCK);
      assertEquals(
          List.of(new PinCause.HiddenVmFrame(reason)),
          new Attributor(25, LOADED).attribute(pin, List.of()).causes());
    }
  }

  @Test
  void aMonitorThatNoFrameEntersIsThatOfAClassLoader() {
    assertEquals(List.of(new PinCause.ClassLoading(0, ELSEWHERE)), enteringOn25(ELSEWHERE));
    Frame enters = frame("app.A", "block", BLOCK.enterBci() + 1, 11);
    assertEquals(List.of(new PinCause.HiddenVmFrame("New in JDK 31")), enteringOn25(enters));
  }

  private static List<PinCause> enteringOn25(Frame frame) {
    PinEpisode pin =
        new PinEpisode(
            PinEpisode.Kind.PINNED,
            1_000,
            500,
            new ThreadRef(7, "", true),
            new StackTrace(List.of(frame), false),
            Optional.of("New in JDK 31"),
            Optional.of("Contended monitor enter"),
            Optional.empty());
    return new Attributor(25, LOADED).attribute(pin, List.of()).causes();
  }

  @Test
  void waitingForAnotherThreadsInitializationNamesTheClass() {
    PinEpisode pin =
        pin(
            PinEpisode.Kind.PINNED,
            "Waited for initialization of app/Config by another thread",
            false,
            ELSEWHERE);
    assertEquals(
        List.of(new PinCause.AwaitedInitialization("app.Config")),
        new Attributor(25, LOADED).attribute(pin, List.of()).causes());
  }

  @Test
  void classLoadingIsPutDownToWhatAskedForTheClass() {
    Frame load =
        new Frame(
            new ClassRef("app.Loader", "app"),
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
            0,
            3,
            4,
            Frame.Kind.INTERPRETED);
    assertTrue(
        on21(pin(PARK, load, load, ELSEWHERE))
            .causes()
            .contains(new PinCause.ClassLoading(2, ELSEWHERE)));
  }

  @Test
  void monitorsInsideOfClassLoadingAreNoCausesAndThoseOutsideAre() {
    Frame load =
        new Frame(
            new ClassRef("app.Loader", "app"),
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
            Modifier.SYNCHRONIZED,
            3,
            4,
            Frame.Kind.INTERPRETED);
    Frame find = nativeFrame("app.Loader", "find");
    Attribution entering =
        on21(
            pin(
                PinEpisode.Kind.MONITOR_ENTER,
                null,
                false,
                frame("app.Loader", "lock", 5, 6),
                IN_BLOCK,
                find,
                load,
                IN_METHOD));
    assertEquals(
        List.of("NativeFrame", "ClassLoading", "HeldMonitor"),
        entering.causes().stream().map(cause -> cause.getClass().getSimpleName()).toList());
    assertEquals("method", monitors(entering).getFirst().site().method());
  }

  /** To make a class, the JDK calls back to load the classes that it extends. */
  @Test
  void theMethodThatMakesAClassIsPartOfClassLoading() {
    Frame load =
        new Frame(
            new ClassRef("app.Loader", "app"),
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
            0,
            3,
            4,
            Frame.Kind.INTERPRETED);
    Frame define = nativeFrame("java.lang.ClassLoader", "defineClass1");
    assertEquals(
        List.of("ClassLoading", "HeldMonitor"),
        on21(pin(PARK, load, define, load, IN_METHOD)).causes().stream()
            .map(cause -> cause.getClass().getSimpleName())
            .toList());
    // Another native method stays, and so does this one where no class is loaded.
    Frame other = nativeFrame("java.lang.ClassLoader", "findBuiltinLib");
    assertTrue(
        on21(pin(PARK, load, other, load, IN_METHOD)).causes().stream()
            .anyMatch(NativeFrame.class::isInstance));
    assertTrue(
        on21(pin(PARK, ELSEWHERE, define, ELSEWHERE)).causes().stream()
            .anyMatch(NativeFrame.class::isInstance));
  }

  /** It can be loaded at start-up, as a class can that code uses without asking for its name. */
  @Test
  void aClassThatIsLoadedByNameIsLoaded() {
    Frame forName = jdk("java.lang.Class", "forName");
    Frame forName0 = nativeFrame("java.lang.Class", "forName0");
    Frame load =
        new Frame(
            new ClassRef("java.lang.ClassLoader", ""),
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
            0,
            3,
            4,
            Frame.Kind.INTERPRETED);
    for (List<PinCause> causes :
        List.of(
            on21(pin(PARK, load, forName0, forName, ELSEWHERE)).causes(),
            new Attributor(25, LOADED)
                .attribute(pin(PARK, load, forName0, forName, forName, ELSEWHERE), List.of())
                .causes())) {
      assertEquals(List.of(new PinCause.ClassLoading(2, ELSEWHERE)), causes);
    }
    // Without a loader it is something else that the native method called.
    assertInstanceOf(
        NativeFrame.class, on21(pin(PARK, ELSEWHERE, forName0, forName, ELSEWHERE)).primary());
  }

  /** Under such a one the JDK makes the class of a proxy. */
  @Test
  void monitorsOfTheJdksLoadersArePartOfClassLoading() {
    Frame load =
        new Frame(
            new ClassRef("app.Loader", "app"),
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
            0,
            3,
            4,
            Frame.Kind.INTERPRETED);
    Frame memoizer =
        withFlags(
            jdk("jdk.internal.loader.AbstractClassLoaderValue$Memoizer", "get"),
            Modifier.SYNCHRONIZED);
    List<PinCause> causes = on21(pin(PARK, load, ELSEWHERE, memoizer, IN_METHOD)).causes();
    assertEquals(
        List.of("ClassLoading", "HeldMonitor"),
        causes.stream().map(cause -> cause.getClass().getSimpleName()).toList());
    assertEquals("app.A", causes.getLast().type().orElseThrow().name());
    // Without class loading it is what it is.
    assertEquals(
        2, monitors(on21(pin(PARK, ELSEWHERE, memoizer, IN_METHOD))).size(), "both monitors");
  }

  @Test
  void theMonitorsThatWereSeenAreTheEvidence() {
    MonitorObject lock = new MonitorObject("app.Lock", 42);
    MonitorSample sample =
        new MonitorSample(7, 990, List.of(new HolderFrame("app.A", "block", 8, List.of(lock))));
    List<PinCause.HeldMonitor> held =
        monitors(
            new Attributor(21, LOADED).attribute(pin(PARK, IN_BLOCK, IN_METHOD), List.of(sample)));
    // The method's own monitor was not among them: the compiler removed it.
    assertEquals(1, held.size());
    assertEquals(Confidence.EXACT_MONITORS, held.getFirst().confidence());
    assertEquals(List.of(lock), held.getFirst().objects());
    assertEquals(BLOCK, held.getFirst().site().region());
  }

  @Test
  void aSampleOfAnotherStackSaysNothing() {
    MonitorSample other =
        new MonitorSample(
            7,
            990,
            List.of(new HolderFrame("app.C", "x", 1, List.of(new MonitorObject("app.Lock", 42)))));
    List<PinCause.HeldMonitor> held =
        monitors(new Attributor(21, LOADED).attribute(pin(PARK, IN_BLOCK), List.of(other)));
    assertEquals(Confidence.LOADED_BYTECODE, held.getFirst().confidence());
  }

  @Test
  void aSampledMonitorNeedsNoBytes() {
    Frame unseen = frame("app.Unseen", "call", 3, 9);
    MonitorSample sample =
        new MonitorSample(
            7,
            990,
            List.of(
                new HolderFrame(
                    "app.Unseen", "call", 3, List.of(new MonitorObject("app.Lock", 42)))));
    Attribution attribution =
        new Attributor(21, LOADED).attribute(pin(PARK, unseen), List.of(sample));
    assertEquals(Confidence.EXACT_MONITORS, monitors(attribution).getFirst().confidence());
    assertTrue(!attribution.unreadClasses().contains("app.Unseen"), attribution::toString);
  }

  @Test
  void theOperationIsTheOutermostThatNamesOne() {
    record Case(BlockingOperation.Kind kind, List<Frame> frames) {}
    for (Case one :
        List.of(
            new Case(
                BlockingOperation.Kind.QUEUE,
                List.of(
                    PARK,
                    jdk(
                        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                        "await"),
                    jdk("java.util.concurrent.ArrayBlockingQueue", "take"))),
            new Case(
                BlockingOperation.Kind.SOCKET_READ,
                List.of(PARK, jdk("sun.nio.ch.NioSocketImpl", "implRead"))),
            new Case(
                BlockingOperation.Kind.SLEEP,
                List.of(
                    jdk("java.lang.VirtualThread", "parkNanos"),
                    jdk("java.lang.VirtualThread", "sleepNanos"),
                    jdk("java.lang.Thread", "sleep"))),
            new Case(BlockingOperation.Kind.PARK, List.of(PARK)),
            new Case(BlockingOperation.Kind.UNKNOWN, List.of()))) {
      List<Frame> frames = new ArrayList<>(one.frames());
      frames.add(IN_BLOCK);
      assertEquals(one.kind(), on21(pin(frames.toArray(Frame[]::new))).operation().kind());
    }
  }
}
