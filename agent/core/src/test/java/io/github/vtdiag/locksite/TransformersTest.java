package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.hang.AgentJars;
import io.github.vtdiag.testing.InsertingAgent;
import io.github.vtdiag.testing.OtherAgentJar;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Who changed a class. */
class TransformersTest {
  private static Optional<String> none(String className) {
    return Optional.empty();
  }

  private static byte[] given() throws Exception {
    String name = TransformersTest.class.getName().replace('.', '/') + ".class";
    try (InputStream in = TransformersTest.class.getClassLoader().getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  /** With a method that calls one of another class. */
  private static byte[] calling(String owner, String method) throws Exception {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(given())
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public void visitEnd() {
                MethodVisitor added =
                    super.visitMethod(Opcodes.ACC_STATIC, "added", "()V", null, null);
                added.visitCode();
                added.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, "()V", false);
                added.visitInsn(Opcodes.RETURN);
                added.visitMaxs(0, 0);
                added.visitEnd();
                super.visitEnd();
              }
            },
            0);
    return writer.toByteArray();
  }

  @Test
  void nobodyIsNamedWhereNothingTells() throws Exception {
    assertEquals("", Transformers.changed(given(), given(), TransformersTest::none));
    assertEquals(
        "",
        Transformers.changed(given(), calling("java/lang/System", "gc"), TransformersTest::none));
    assertEquals(
        "",
        Transformers.changed(
            given(), calling("io/github/vtdiag/locksite/Own", "call"), TransformersTest::none));
  }

  @Test
  void knownAgentsAreNamedByWhatTheyPutIntoClasses() throws Exception {
    String own = TransformersTest.class.getName().replace('.', '/');
    assertEquals(
        "JaCoCo",
        Transformers.changed(given(), calling(own, "$jacocoInit"), TransformersTest::none));
    assertEquals(
        "OpenTelemetry's agent",
        Transformers.changed(
            given(),
            calling("io/opentelemetry/javaagent/bootstrap/CallDepth", "get"),
            TransformersTest::none));
  }

  @Test
  void othersAreNamedByTheirJarOrByWhatIsCalled(@TempDir Path folder) throws Exception {
    byte[] ran = InsertingAgent.withProbes(given());
    AgentJars agents = AgentJars.of(List.of("-javaagent:" + OtherAgentJar.write(folder) + "=a"));
    assertEquals("the agent probes.jar", Transformers.changed(given(), ran, agents::find));
    assertEquals(
        "an agent that calls " + InsertingAgent.Probe.class.getName(),
        Transformers.changed(given(), ran, TransformersTest::none));
  }
}
