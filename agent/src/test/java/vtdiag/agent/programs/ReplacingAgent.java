package vtdiag.agent.programs;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** Another agent: replaces {@code Pins.Own} by the class file that its argument names. */
public final class ReplacingAgent {
  private ReplacingAgent() {}

  public static void premain(String file, Instrumentation instrumentation) throws IOException {
    byte[] replacement = Files.readAllBytes(Path.of(file));
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              Module module,
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] classFile) {
            return "vtdiag/agent/programs/Pins$Own".equals(name) ? replacement : null;
          }
        },
        true);
  }
}
