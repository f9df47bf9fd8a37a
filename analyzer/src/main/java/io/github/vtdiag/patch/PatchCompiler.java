package io.github.vtdiag.patch;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.TemporaryFolders;
import io.github.vtdiag.source.Processors;
import io.github.vtdiag.source.SourceText;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles patched files in a temporary folder, each with the compiler of its language.
 *
 * @param javaHome a JDK with {@code javac}
 * @param classPath the classes of the unpatched sources, and all that they need
 * @param processors the annotation processors of the build
 * @param release the Java version of these classes
 * @param kotlin compiles Kotlin sources; empty if there are none
 */
record PatchCompiler(
    Path javaHome,
    List<String> classPath,
    Processors processors,
    int release,
    Optional<KotlinCompiler> kotlin) {
  private static final int ERRORS_SHOWN = 3;

  /** An error in a file, which is a copy in a folder with the number of the change. */
  private static final Pattern ERROR =
      Pattern.compile(".*sources(\\d+)[/\\\\]([^/\\\\]+):(\\d+)(?::\\d+)?(: error: .*)");

  /**
   * The result of the compilers.
   *
   * @param errors the first errors of each file
   * @param otherError one that is of no file
   */
  record Compiled(
      boolean succeeded,
      Map<Path, String> errors,
      String otherError,
      List<ClassMonitors> classes) {}

  static boolean isKotlin(Path file) {
    return file.toString().endsWith(".kt");
  }

  /** A run of the compiler of one language: writes what it says to a file, returns its status. */
  private interface Run {
    int run(Path folder, Path classes, List<String> files, Path output) throws IOException;
  }

  Compiled compile(List<Patch.Change> changes, boolean patched) throws IOException {
    List<Patch.Change> inJava =
        changes.stream().filter(change -> !isKotlin(change.path())).toList();
    List<Patch.Change> inKotlin =
        changes.stream().filter(change -> isKotlin(change.path())).toList();
    if (inKotlin.isEmpty()) {
      return compile(inJava, patched, this::javac);
    }
    Compiled ofKotlin = kotlin(inKotlin, patched);
    if (inJava.isEmpty()) {
      return ofKotlin;
    }
    Compiled ofJava = compile(inJava, patched, this::javac);
    Map<Path, String> errors = new LinkedHashMap<>(ofJava.errors());
    errors.putAll(ofKotlin.errors());
    return new Compiled(
        ofJava.succeeded() && ofKotlin.succeeded(),
        errors,
        ofJava.otherError(),
        Stream.concat(ofJava.classes().stream(), ofKotlin.classes().stream()).toList());
  }

  /**
   * Compiles Kotlin on one JDK after the other until it succeeds. Classes for Java 8 may use what
   * only a later JDK has, and a compiler may not know the latest JDK.
   */
  private Compiled kotlin(List<Patch.Change> changes, boolean patched) throws IOException {
    List<Path> jdks = InstalledJdks.running(release);
    Optional<Compiled> withErrors = Optional.empty();
    Optional<Compiled> withoutResult = Optional.empty();
    for (Path jdk : jdks.isEmpty() ? List.of(javaHome) : jdks) {
      Compiled compiled =
          compile(
              changes,
              patched,
              (folder, classes, files, output) -> kotlinc(jdk, classes, files, output));
      if (compiled.succeeded()) {
        return compiled;
      }
      if (!compiled.errors().isEmpty()) {
        // A later JDK has all that an earlier one has: fewer errors are due to it.
        withErrors = Optional.of(compiled);
      } else if (withoutResult.isEmpty()) {
        withoutResult = Optional.of(ofEach(compiled, changes, jdk));
      }
    }
    return (withErrors.isPresent() ? withErrors : withoutResult).orElseThrow();
  }

  /** Assigns a failure of the compiler to each file, so that the Java files go on. */
  private Compiled ofEach(Compiled compiled, List<Patch.Change> changes, Path jdk) {
    String failure =
        "%s fails on %s (%s); name another with --kotlin-compiler, or set JAVA_HOME to a JDK that it knows"
            .formatted(kotlin.orElseThrow().name(), jdk, compiled.otherError());
    Map<Path, String> errors = new LinkedHashMap<>();
    changes.forEach(change -> errors.put(change.path(), failure));
    return new Compiled(false, errors, failure, List.of());
  }

  private Compiled compile(List<Patch.Change> changes, boolean patched, Run run)
      throws IOException {
    Path folder = Files.createTempDirectory("vtdiag-patch");
    try {
      return compile(changes, patched, run, folder);
    } finally {
      TemporaryFolders.delete(folder);
    }
  }

  private Compiled compile(List<Patch.Change> changes, boolean patched, Run run, Path folder)
      throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    List<String> files = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Patch.Change change = changes.get(i);
      SourceText text = SourceText.of(patched ? change.after().bytes() : change.before().bytes());
      // Each file has its own folder: two of them may have the same name.
      Path copy =
          Files.createDirectories(folder.resolve("sources" + i))
              .resolve(change.path().getFileName().toString());
      Files.writeString(copy, text.text);
      files.add(copy.toString());
    }
    Path output = folder.resolve("output");
    int status = run.run(folder, classes, files, output);
    List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
    Map<Path, List<String>> errors = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher error = ERROR.matcher(line);
      if (error.matches()) {
        // The user does not know the temporary copies, nor the line numbers of a file that is not
        // written.
        Patch.Change change = changes.get(Integer.parseInt(error.group(1)));
        int at = Integer.parseInt(error.group(3));
        errors
            .computeIfAbsent(change.path(), path -> new ArrayList<>())
            .add(
                error.group(2)
                    + ":"
                    + (patched ? UnifiedDiff.lineBefore(change, at) : at)
                    + error.group(4));
      }
    }
    Map<Path, String> first = new LinkedHashMap<>();
    errors.forEach(
        (path, ofFile) ->
            first.put(path, ofFile.stream().limit(ERRORS_SHOWN).collect(Collectors.joining("; "))));
    String other =
        Stream.of("error:", "Exception", "Error")
            .flatMap(word -> lines.stream().filter(line -> line.contains(word)))
            .findFirst()
            .orElse("the compiler gave no reason");
    return new Compiled(status == 0, first, other, status == 0 ? read(classes) : List.of());
  }

  private int javac(Path folder, Path classes, List<String> files, Path output) throws IOException {
    Path none = Files.createDirectory(folder.resolve("none"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", Integer.toString(release), "-encoding", "UTF-8"));
    arguments.addAll(List.of("-implicit:none", "-nowarn", "-g", "-Xmaxerrs", "10000"));
    arguments.addAll(processors.arguments(javaHome));
    arguments.addAll(List.of("-s", Files.createDirectory(folder.resolve("generated")).toString()));
    arguments.addAll(List.of("-sourcepath", none.toString(), "-d", classes.toString()));
    // The annotations in the sources are often on the processor path only.
    List<String> all = Stream.concat(classPath.stream(), processors.path().stream()).toList();
    arguments.addAll(List.of("-cp", String.join(File.pathSeparator, all)));
    arguments.addAll(files);
    Path argumentFile = folder.resolve("arguments");
    Files.write(argumentFile, arguments.stream().map(PatchCompiler::quoted).toList());
    if (compilesHere()) {
      try (OutputStream out = Files.newOutputStream(output)) {
        return ToolProvider.getSystemJavaCompiler().run(null, out, out, "@" + argumentFile);
      }
    }
    return run(
        List.of(
            javaHome.resolve("bin").resolve("javac").toString(),
            // This takes half the processor time, and is done sooner, up to many hundreds of files.
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-J-Duser.language=en",
            "-J-Dstdout.encoding=UTF-8",
            "-J-Dstderr.encoding=UTF-8",
            "@" + argumentFile),
        output);
  }

  /**
   * Tells whether the compiler can run in this JVM, which saves the start of another: not where it
   * runs annotation processors, which are foreign code, nor where its messages or its output would
   * not be in English and UTF-8.
   */
  private boolean compilesHere() throws IOException {
    return processors.path().isEmpty()
        && Locale.getDefault().getLanguage().equals("en")
        && Charset.defaultCharset().equals(StandardCharsets.UTF_8)
        && Files.isSameFile(javaHome, Path.of(System.getProperty("java.home")))
        && ToolProvider.getSystemJavaCompiler() != null;
  }

  private int kotlinc(Path jdk, Path classes, List<String> files, Path output) throws IOException {
    // Internal declarations are visible only in their module, to which any folder of classes may
    // belong.
    List<String> friends =
        classPath.stream().filter(entry -> Files.isDirectory(Path.of(entry))).toList();
    List<String> command = kotlin.orElseThrow().command(jdk, classPath, friends, release, classes);
    return run(Stream.concat(command.stream(), files.stream()).toList(), output);
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static int run(List<String> command, Path output) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the compiler ran", e);
    }
  }

  private static List<ClassMonitors> read(Path classes) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(classes)) {
      files = walk.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    List<ClassMonitors> read = new ArrayList<>();
    for (Path file : files) {
      String path = classes.relativize(file).toString().replace('\\', '/');
      String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
      read.add(
          LockMaps.read(
              Files.readAllBytes(file),
              new ClassRef(name, "app"),
              "",
              ClassMonitors.Evidence.CLASS_PATH));
    }
    return read;
  }
}
