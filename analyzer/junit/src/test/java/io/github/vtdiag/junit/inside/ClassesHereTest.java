package io.github.vtdiag.junit.inside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClassesHereTest {
  private static JarContent jarOf(Class<?> type) {
    Frame frame =
        new Frame(new ClassRef(type.getName(), "app"), "m", "()V", 0, 1, 1, Frame.Kind.INTERPRETED);
    PinEpisode pin =
        new PinEpisode(
            PinEpisode.Kind.PINNED,
            1,
            1,
            new ThreadRef(1, "", true),
            new StackTrace(List.of(frame), false),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    List<ClassMonitors> found = new ClassesHere().of(List.of(pin));
    return found.getFirst().jar();
  }

  /** A jar tells its coordinates itself, wherever the repository is; a folder has none. */
  @Test
  void aJarIsReadForItsCoordinates() {
    assertFalse(jarOf(Test.class).hash().isEmpty());
    assertEquals(JarContent.UNKNOWN, jarOf(ClassesHereTest.class));
  }
}
