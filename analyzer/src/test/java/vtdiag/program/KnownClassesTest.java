package vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vtdiag.model.ClassMonitors;
import vtdiag.model.ClassRef;

/** Why the bytes of a class are not known. */
final class KnownClassesTest {
  @TempDir private Path folder;

  private KnownClasses known(ClassMonitors... recorded) throws Exception {
    return new KnownClasses(
        List.of(recorded),
        ClassPathBytes.open(List.of(folder.toString()), 21),
        JdkClasses.running());
  }

  private static ClassRef type(String name) {
    return new ClassRef(name, "app");
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.example.Orders", "com.example.Orders$Proxy", "x.Lambda", ""})
  void aClassThatIsNowhere(String name) throws Exception {
    assertEquals(new ClassLookup.NotFound(true), known().lookUp(type(name)));
    KnownClasses nothingNamed =
        new KnownClasses(List.of(), ClassPathBytes.open(List.of(), 21), JdkClasses.running());
    assertEquals(new ClassLookup.NotFound(false), nothingNamed.lookUp(type(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.example.Orders$$Lambda",
        "jdk.proxy2.$Proxy57",
        "jdk.internal.reflect.GeneratedMethodAccessor12",
        "com.example.Orders$$SpringCGLIB$$0",
        "com.example.Orders$$EnhancerBySpringCGLIB$$1a2b",
        "com.example.Order$HibernateProxy$Ab12",
        "com.example.Orders$ByteBuddy$xyz"
      })
  void aClassThatWasMadeWhileTheProgramRan(String name) throws Exception {
    assertInstanceOf(ClassLookup.Generated.class, known().lookUp(type(name)));
  }

  @Test
  void aClassFileThatCannotBeRead() throws Exception {
    Files.write(folder.resolve("A.class"), new byte[] {1, 2, 3});
    KnownClasses known = known();
    ClassLookup.Unreadable unreadable =
        assertInstanceOf(ClassLookup.Unreadable.class, known.lookUp(type("A")));
    assertEquals("A", unreadable.unread().name());
    assertEquals(
        List.of(
            "A in "
                + folder
                + " could not be read (it is damaged or too new for vtdiag), so what it locks is"
                + " not known"),
        known.problems());
  }

  @Test
  void aClassThatIsThere() throws Exception {
    assertInstanceOf(ClassLookup.Found.class, known().lookUp(new ClassRef("java.util.Vector", "")));
    ClassMonitors recorded =
        new ClassMonitors(type("B"), "", ClassMonitors.Evidence.LOADED_CLASS, List.of());
    assertInstanceOf(ClassLookup.Found.class, known(recorded).lookUp(type("B")));
  }
}
