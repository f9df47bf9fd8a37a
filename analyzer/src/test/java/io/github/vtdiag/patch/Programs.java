package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.safety.Lock.MonitorCall;
import io.github.vtdiag.source.SourceFolders;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Sources in a folder, compiled, with the locks of their classes in the simplest grouping. */
final class Programs {
  final Path sources;
  final Path classes;
  final List<ClassMonitors> program;
  final List<Lock> locks;

  private Programs(Path sources, Path classes, List<ClassMonitors> program, List<Lock> locks) {
    this.sources = sources;
    this.classes = classes;
    this.program = program;
    this.locks = locks;
  }

  /** Compiles every Java file in {@code folder/src}. */
  static Programs compiled(Path folder) throws IOException {
    return compiled(folder, "-g");
  }

  private static Programs compiled(Path folder, String debug) throws IOException {
    Path sources = folder.resolve("src");
    Path classes = Files.createTempDirectory(folder, "classes");
    compile(sources, classes, debug);
    return read(sources, classes);
  }

  /** One file whose classes do not have the names of variables, as javac makes them by itself. */
  static Programs withoutVariables(Path folder, String name, String source) throws IOException {
    write(folder, name, source.getBytes(StandardCharsets.UTF_8));
    return compiled(folder, "-g:source,lines");
  }

  /** One file in the unnamed package. */
  static Programs of(Path folder, String name, String source) throws IOException {
    write(folder, name, source.getBytes(StandardCharsets.UTF_8));
    return compiled(folder);
  }

  static void write(Path folder, String name, byte[] source) throws IOException {
    Path file = folder.resolve("src").resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, source);
  }

  static void compile(Path sources, Path classes) throws IOException {
    compile(sources, classes, "-g");
  }

  private static void compile(Path sources, Path classes, String debug) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(sources)) {
      files = walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    StringWriter messages = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, StandardCharsets.ISO_8859_1)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of(debug, "-proc:none", "-d", classes.toString(), "-cp", classes.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      StringBuilder shown = new StringBuilder(messages.toString());
      if (!compiled) {
        for (Path file : files) {
          shown.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        }
      }
      assertTrue(compiled, shown::toString);
    }
  }

  Patch patch() throws IOException {
    return Patcher.patch(locks, program, new SourceFolders(List.of(sources)));
  }

  /** Writes a patch into a new folder beside the old one, and compiles that. */
  Programs after(Patch patch) throws IOException {
    Path folder = Files.createTempDirectory(sources.getParent(), "after");
    try (Stream<Path> walk = Files.walk(sources)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        write(folder, sources.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    for (Patch.Change change : patch.files()) {
      write(folder, sources.relativize(change.path()).toString(), change.after().bytes());
    }
    return compiled(folder);
  }

  String source(String name) throws IOException {
    return Files.readString(sources.resolve(name));
  }

  /** Reads the classes and groups their sites. */
  private static Programs read(Path sources, Path classes) throws IOException {
    List<ClassMonitors> program = new ArrayList<>();
    Map<Identity, List<LockSite>> sites = new LinkedHashMap<>();
    Map<Identity, List<MonitorCall>> calls = new LinkedHashMap<>();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(classes)) {
      files =
          walk.filter(file -> file.toString().endsWith(".class"))
              .sorted(Comparator.comparing(Path::toString))
              .toList();
    }
    Map<String, String> parents = new LinkedHashMap<>();
    for (Path file : files) {
      ClassReader reader = new ClassReader(Files.readAllBytes(file));
      parents.put(dotted(reader.getClassName()), dotted(reader.getSuperName()));
    }
    List<String> locking = new ArrayList<>();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      ClassRef type = new ClassRef(dotted(new ClassReader(bytes).getClassName()), "app");
      ClassMonitors monitors =
          LockMaps.read(bytes, type, classes.toString(), ClassMonitors.Evidence.CLASS_PATH);
      program.add(monitors);
      for (MethodMonitors method : monitors.methods()) {
        for (MonitorRegion region : method.regions()) {
          if (region.lock().equals(LockExpression.THIS)) {
            locking.add(type.name());
          }
        }
      }
    }
    for (ClassMonitors monitors : program) {
      for (MethodMonitors method : monitors.methods()) {
        for (MonitorRegion region : method.regions()) {
          Identity identity = identity(monitors.type().name(), region.lock(), locking, parents);
          if (identity != null) {
            sites
                .computeIfAbsent(identity, key -> new ArrayList<>())
                .add(new LockSite(monitors.type(), method.name(), method.descriptor(), region));
          }
        }
      }
    }
    for (Path file : files) {
      readCalls(Files.readAllBytes(file), locking, parents, sites, calls);
    }
    List<Lock> locks =
        sites.entrySet().stream()
            .map(
                entry ->
                    new Lock(
                        entry.getKey(),
                        keeper(entry.getKey()),
                        entry.getValue(),
                        calls.getOrDefault(entry.getKey(), List.of())))
            .toList();
    return new Programs(sources, classes, program, locks);
  }

  /** The patcher looks itself whether a field is used as a lock only. */
  private static Lock.Keeper keeper(Identity identity) {
    return switch (identity) {
      case Identity.Instances instances -> Lock.Keeper.NEW_FIELD;
      case Identity.ClassObject object -> Lock.Keeper.NEW_FIELD;
      case Identity.LocalVariable variable -> Lock.Keeper.SAME_FIELD;
      case Identity.StaticField statics -> Lock.Keeper.SAME_FIELD;
      case Identity.InstanceField instance -> Lock.Keeper.SAME_FIELD;
    };
  }

  private static Identity identity(
      String type, LockExpression lock, List<String> locking, Map<String, String> parents) {
    return switch (lock.kind()) {
      case THIS -> new Identity.Instances(topmost(type, locking, parents));
      case CLASS_LITERAL -> new Identity.ClassObject(lock.owner());
      case STATIC_FIELD -> new Identity.StaticField(lock.owner(), lock.name());
      case INSTANCE_FIELD ->
          lock.name().startsWith("this$")
              ? new Identity.Instances(
                  topmost(type.substring(0, type.lastIndexOf('$')), locking, parents))
              : new Identity.InstanceField(lock.owner(), lock.name());
      case OTHER_FIELD -> new Identity.InstanceField(lock.owner(), lock.name());
      case PARAMETER, LOCAL, CALL_RESULT, NEW_OBJECT, ARRAY_ELEMENT, UNKNOWN -> null;
    };
  }

  private static String topmost(String type, List<String> locking, Map<String, String> parents) {
    String top = type;
    for (String at = type; at != null; at = parents.get(at)) {
      if (locking.contains(at)) {
        top = at;
      }
    }
    return top;
  }

  /** Each call belongs to the lock of its receiver, which is loaded right before it. */
  private static void readCalls(
      byte[] bytes,
      List<String> locking,
      Map<String, String> parents,
      Map<Identity, List<LockSite>> sites,
      Map<Identity, List<MonitorCall>> calls) {
    ClassReader reader = new ClassReader(bytes);
    String type = dotted(reader.getClassName());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9) {
              private int line = -1;
              private Identity loaded;

              @Override
              public void visitLineNumber(int number, Label start) {
                line = number;
              }

              @Override
              public void visitVarInsn(int opcode, int slot) {
                if (opcode == Opcodes.ALOAD && slot == 0) {
                  loaded = new Identity.Instances(topmost(type, locking, parents));
                }
              }

              @Override
              public void visitFieldInsn(int opcode, String owner, String field, String of) {
                if (opcode == Opcodes.GETFIELD && field.startsWith("this$")) {
                  loaded =
                      new Identity.Instances(
                          topmost(type.substring(0, type.lastIndexOf('$')), locking, parents));
                } else if (of.startsWith("L")) {
                  Identity identity =
                      opcode == Opcodes.GETSTATIC
                          ? new Identity.StaticField(dotted(owner), field)
                          : new Identity.InstanceField(dotted(owner), field);
                  loaded = sites.containsKey(identity) ? identity : loaded;
                }
              }

              @Override
              public void visitLdcInsn(Object value) {
                if (value instanceof org.objectweb.asm.Type literal) {
                  loaded = new Identity.ClassObject(literal.getClassName());
                }
              }

              @Override
              public void visitMethodInsn(
                  int opcode, String owner, String called, String of, boolean isInterface) {
                boolean monitor =
                    (called.equals("wait") && of.matches("\\(J?I?\\)V"))
                        || (called.startsWith("notify") && of.equals("()V"))
                        || called.equals("holdsLock");
                if (monitor) {
                  calls
                      .computeIfAbsent(loaded, key -> new ArrayList<>())
                      .add(
                          new MonitorCall(
                              new ClassRef(type, "app"), name, descriptor, line, called, of, 0, 1));
                }
              }
            };
          }
        },
        0);
  }

  private static String dotted(String internal) {
    return internal == null ? null : internal.replace('/', '.');
  }

  void assertNoMonitorLeft() {
    assertEquals(List.of(), locks);
  }

  private static final Pattern LOCK_NOT_BEFORE_TRY =
      Pattern.compile("([\\w.]+)\\.lock\\(\\);(?!\\s*try\\b)");

  /** What Error Prone's LockNotBeforeTry asks for, as far as text tells. */
  static void assertLockedBeforeTry(String source) {
    Matcher stray = LOCK_NOT_BEFORE_TRY.matcher(source);
    assertFalse(stray.find(), source);
    assertTrue(source.contains(".lock();"), source);
    assertEquals(
        Pattern.compile("\\.lock\\(\\);").matcher(source).results().count(),
        Pattern.compile("finally\\s*\\{\\s*[\\w.]+\\.unlock\\(\\);")
            .matcher(source)
            .results()
            .count(),
        source);
  }
}
