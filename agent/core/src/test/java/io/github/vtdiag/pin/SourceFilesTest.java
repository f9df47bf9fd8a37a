package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceFilesTest {
  private static Frame frame(String type) {
    return new Frame(new ClassRef(type, "app"), "m", "()V", 0, 5, 7, Frame.Kind.COMPILED);
  }

  private final SourceFiles files =
      new SourceFiles(type -> type.name().startsWith("kotlin.") ? "Main.kt" : "");

  @Test
  void stacksWithoutOtherFilesStayTheSame() {
    StackTrace stack = new StackTrace(List.of(frame("app.A"), frame("java.lang.Thread")), false);
    assertSame(stack, files.named(stack));
    assertSame(StackTrace.ABSENT, files.named(StackTrace.ABSENT));
  }

  @Test
  void equalFramesAndStacksStayOneObject() {
    Frame shared = frame("kotlin.Orders");
    StackTrace one = new StackTrace(List.of(shared, frame("app.A")), true);
    StackTrace other = new StackTrace(List.of(frame("app.B"), shared), false);
    StackTrace named = files.named(one);
    assertSame(named, files.named(one));
    assertEquals("Main.kt", named.frames().getFirst().type().file());
    assertEquals("A.java", named.frames().getLast().type().file());
    assertEquals(one, named);
    assertSame(named.frames().getFirst(), files.named(other).frames().getLast());
  }
}
