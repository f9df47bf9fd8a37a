import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives the classes of a jar that are older than Java 6 the stack maps of later ones. Without them
 * (picocli and ASM are compiled for Java 5) the JVM verifies classes the old, slow way each time
 * and leaves them out of class data sharing: a third of the time of a short command. Adds the
 * commit that the jar was built from.
 */
final class AddFrames {
  private static final int JAVA_6 = Opcodes.V1_6;

  private AddFrames() {}

  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    // The time of day that entries have is local, so one of an instant would depend on the time
    // zone.
    LocalDateTime time = LocalDateTime.ofInstant(Instant.parse(args[1]), ZoneOffset.UTC);
    Path changed = Path.of(args[0] + ".frames");
    try (URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
        InputStream file = Files.newInputStream(jar);
        ZipInputStream in = new ZipInputStream(file);
        OutputStream target = Files.newOutputStream(changed);
        ZipOutputStream out = new ZipOutputStream(target)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        byte[] content = in.readAllBytes();
        if (entry.getName().endsWith(".class")) {
          content = withFrames(content, classes);
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(time);
        out.putNextEntry(copy);
        out.write(content);
        out.closeEntry();
      }
      String commit = commit(Path.of(args[2]));
      if (!commit.isEmpty()) {
        ZipEntry entry = new ZipEntry("io/github/vtdiag/cli/commit.txt");
        entry.setTimeLocal(time);
        out.putNextEntry(entry);
        out.write(commit.getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
    Files.move(changed, jar, REPLACE_EXISTING);
  }

  /**
   * The commit of the sources, with "-dirty" if they were changed since; empty outside a
   * repository.
   */
  private static String commit(Path sources) {
    try {
      Process git =
          new ProcessBuilder(
                  "git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude", "*")
              .directory(sources.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor() == 0 ? commit.strip() : "";
    } catch (IOException e) {
      // There is no git: sources that somebody unpacked.
      return "";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] withFrames(byte[] content, ClassLoader classes) {
    ClassReader reader = new ClassReader(content);
    int version = reader.readUnsignedShort(6);
    if (version >= JAVA_6) {
      return content;
    }
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return classes;
          }
        };
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int old, int access, String name, String generic, String parent, String[] types) {
            super.visit(Opcodes.V1_8, access, name, generic, parent, types);
          }
        },
        ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }
}
