package io.github.vtdiag.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source folders that may be patched, each the root of its packages. */
public final class SourceFolders {
  private static final String KOTLIN = ".kt";

  private static final List<String> OTHER_LANGUAGES = List.of(".scala", ".groovy", ".clj");

  /** A class name none of whose parts leads to another folder. */
  private static final Pattern CLASS_NAME = Pattern.compile("([^./\\\\]+\\.)*[^./\\\\]+");

  private static final Pattern COMMENT_OR_STRING =
      Pattern.compile(
          "//[^\\r"
              + "\\n"
              + "]*|(?s:/\\*.*?\\*/)|(?s:\"\"\".*?\"\"\")|\"(?:[^\"\\\\\\r"
              + "\\n"
              + "]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+'");
  private static final Pattern LOCKING =
      Pattern.compile("\\b(?:synchronized|wait|notify|notifyAll|holdsLock)\\b");

  private final List<Path> roots = new ArrayList<>();
  private final Map<Path, SourceText> texts = new HashMap<>();
  private final Map<Path, SourceFile> parsed = new HashMap<>();
  private final Map<Path, DeclinedException> refused = new HashMap<>();
  private List<Path> all;
  private Set<String> inAnotherLanguage;
  private KotlinSources kotlin;
  private SubclassNames subclasses;

  /** A file that may take locks unknown to any class; null if there is none. */
  private Path unknownLocks;

  /**
   * Takes the folders that will be searched. For one of a project its source folders are, such as
   * {@code src/main/java} of each module.
   *
   * @throws IOException if one is not a readable folder; its message is one sentence
   */
  public SourceFolders(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
        throw new IOException(folder + " is not a readable folder; check --sources");
      }
      Path real = folder.toRealPath();
      List<Path> ofModules = ProjectFolders.below(real);
      roots.addAll(ofModules.isEmpty() ? List.of(real) : ofModules);
    }
  }

  /** Returns the folders that are searched, as real paths. */
  public List<Path> roots() {
    return List.copyOf(roots);
  }

  /** Returns whether a file is in one of the folders. */
  public boolean contains(Path real) {
    return roots.stream().anyMatch(real::startsWith);
  }

  /**
   * Finds the folder from which a patch of some of their files is applied: the current one if they
   * are in it, else the source folder, or the one above all of them.
   *
   * @param here the current folder, as a real path
   */
  public Path baseOf(List<Path> files, Path here) {
    if (files.stream().allMatch(file -> file.startsWith(here))) {
      return here;
    }
    Path base = roots.getFirst();
    for (Path file : files) {
      while (!file.startsWith(base)) {
        base = base.getParent();
      }
    }
    return base;
  }

  /** Returns whether a class is compiled from one of the sources, in any language. */
  public boolean hasSourceOf(String className) {
    try {
      find(className);
      return true;
    } catch (DeclinedException e) {
      return e.obstacle == Obstacle.FORM;
    }
  }

  /** Returns the file that declares a class. */
  SourceFile fileOf(String className) throws DeclinedException {
    return parse(find(className));
  }

  private Path find(String className) throws DeclinedException {
    String packagePath = className.substring(0, className.lastIndexOf('.') + 1).replace('.', '/');
    String name = className.substring(packagePath.length());
    // A name may contain a $, so the longest one that is a file is tried first.
    for (int end = name.length(); end > 0; end = name.lastIndexOf('$', end - 1)) {
      String file = packagePath + name.substring(0, end) + ".java";
      for (Path root : roots) {
        Path path = root.resolve(file);
        if (Files.isRegularFile(path)) {
          return path;
        }
      }
    }
    Optional<Path> secondary = declaring(packagePath, topLevel(name));
    if (secondary.isPresent()) {
      return secondary.get();
    }
    Optional<Path> inKotlin = kotlin().pathOf(className);
    if (inKotlin.isPresent()) {
      throw new DeclinedException(
          "%s is in %s, but was compiled from a Java file"
              .formatted(className, inKotlin.get().getFileName()));
    }
    Optional<Path> other = inAnotherLanguage(className);
    if (other.isPresent()) {
      throw new DeclinedException(
          "%s is in %s; only Java and Kotlin sources are patched"
              .formatted(className, other.get().getFileName()));
    }
    throw DeclinedException.ofSources(
        "the source of " + className + " is not in the given folders");
  }

  private static String topLevel(String name) {
    return name.indexOf('$', 1) > 0 ? name.substring(0, name.indexOf('$', 1)) : name;
  }

  /** Finds the file of a class in a language that is not patched, as far as file names tell. */
  private Optional<Path> inAnotherLanguage(String className) {
    String packagePath = className.substring(0, className.lastIndexOf('.') + 1).replace('.', '/');
    String topLevel = topLevel(className.substring(packagePath.length()));
    for (String language : OTHER_LANGUAGES) {
      for (String file : List.of(topLevel, topLevel.replaceFirst("Kt$", ""))) {
        for (Path root : roots) {
          Path path = root.resolve(packagePath + file + language);
          if (Files.exists(path)) {
            return Optional.of(path);
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Finds the file that declares a class, in any language; the names may come from untrusted input.
   */
  Optional<Path> sourceOf(String className) {
    if (!CLASS_NAME.matcher(className).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(find(className));
    } catch (DeclinedException e) {
      return kotlin().pathOf(className).or(() -> inAnotherLanguage(className));
    } catch (InvalidPathException e) {
      return Optional.empty(); // No file can have that name.
    }
  }

  /** Returns whether a Java file of that name is in a package, where it hides imports on demand. */
  public boolean hasType(String packageName, String simpleName) {
    String file = (packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/") + simpleName;
    return roots.stream().anyMatch(root -> Files.exists(root.resolve(file + ".java")));
  }

  /**
   * Returns whether a file may use a field of that name through a type, by its simple name. It does
   * if it has a subclass of the type, near or far, and uses the name, other than for a method. It
   * also does if it knows the type and reads a field of that name from an expression.
   */
  public boolean usedWith(String type, String name) {
    Set<String> all = subclasses().from(type);
    String any = all.stream().map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")"));
    Pattern subclass =
        Pattern.compile(
            "\\bextends\\s+(?:[\\w.]+\\.)?"
                + any
                + "\\b|\\bnew\\s+(?:[\\w.]+\\.)?"
                + any
                + "\\s*(?:<[^;{}]*>)?\\s*\\([^;{}]*\\)\\s*\\{");
    Pattern used = Pattern.compile("\\b" + Pattern.quote(name) + "\\b(?!\\s*\\()");
    Pattern member =
        Pattern.compile("(?<!\\bthis)\\s*\\.\\s*" + Pattern.quote(name) + "\\b(?!\\s*\\()");
    for (Path file : all()) {
      String text = text(file).text;
      if (text.contains(name)
          && all.stream().anyMatch(text::contains)
          && (member.matcher(text).find()
              || (subclass.matcher(text).find() && used.matcher(text).find()))) {
        return true;
      }
    }
    return false;
  }

  private SubclassNames subclasses() {
    if (subclasses == null) {
      SubclassNames found = new SubclassNames();
      all().forEach(file -> found.read(text(file).text));
      subclasses = found;
    }
    return subclasses;
  }

  /** Returns the class that a file of its name should have: in its folder's package, or in none. */
  List<String> classNames(Path path) {
    String file = path.getFileName().toString();
    String simple = file.substring(0, file.length() - ".java".length());
    return roots.stream()
        .filter(path::startsWith)
        .map(root -> root.relativize(path).getParent())
        .map(
            folder ->
                folder == null
                    ? simple
                    : folder.toString().replace('\\', '/').replace('/', '.') + "." + simple)
        .toList();
  }

  /** Counts the word synchronized in the text of a file, outside of comments and strings. */
  public int locks(Path path) {
    String code = COMMENT_OR_STRING.matcher(text(path).text).replaceAll(" ");
    return (int) LOCKING.matcher(code).results().count();
  }

  /** Leaves out a file, with all locks that are taken in it. */
  void refuse(Path path, DeclinedException why) {
    refused.put(path, why);
  }

  /** Leaves out a file that may also take locks of other files: no class shows which. */
  void refuseWithUnknownLocks(Path path, DeclinedException why) {
    refuse(path, why);
    unknownLocks = path;
  }

  /** Returns a file that may take any lock that it can name. */
  public Optional<Path> unknownLocks() {
    return Optional.ofNullable(unknownLocks);
  }

  /** Returns whether a file contradicts its classes, or cannot be compared with them. */
  public boolean contradictsClasses() {
    return refused.values().stream().anyMatch(why -> why.obstacle == Obstacle.SOURCES);
  }

  /** Finds the file of a class that is declared in a file of another name. */
  private Optional<Path> declaring(String packagePath, String simpleName) {
    Pattern declared =
        Pattern.compile(
            "\\b(?:class|enum|interface|record)\\s+" + Pattern.quote(simpleName) + "\\b");
    for (Path root : roots) {
      Path folder = root.resolve(packagePath);
      if (!Files.isDirectory(folder)) {
        continue;
      }
      List<Path> files = all().stream().filter(file -> folder.equals(file.getParent())).toList();
      for (Path file : files) {
        if (declared.matcher(text(file).text).find()) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns all Java files in them, in order. */
  List<Path> javaFiles() {
    return all();
  }

  /** Reads one of the files, without keeping it: all of them together take too much memory. */
  public SourceFile read(Path path) throws DeclinedException {
    SourceFile known = parsed.get(path);
    if (known != null) {
      return known;
    }
    try {
      return SourceFile.parse(path, SourceText.of(Files.readAllBytes(path)));
    } catch (IOException e) {
      throw cannotBeRead(path, e);
    }
  }

  private static DeclinedException cannotBeRead(Path path, IOException why) {
    return DeclinedException.ofSources(path + " cannot be read: " + why.getMessage());
  }

  private SourceFile parse(Path path) throws DeclinedException {
    if (refused.containsKey(path)) {
      throw refused.get(path);
    }
    SourceFile known = parsed.get(path);
    if (known != null) {
      return known;
    }
    try {
      // The roots are real paths, so that only a link below one of them makes a difference.
      if (!path.toRealPath().equals(path)) {
        refuse(
            path,
            DeclinedException.ofSources(
                path + " is behind a symbolic link, and such files are not patched"));
        throw refused.get(path);
      }
    } catch (IOException e) {
      throw cannotBeRead(path, e);
    }
    SourceFile file = read(path);
    parsed.put(path, file);
    return file;
  }

  private SourceText text(Path file) {
    return texts.computeIfAbsent(
        file,
        path -> {
          try {
            return SourceText.of(Files.readAllBytes(path));
          } catch (IOException e) {
            // A file that cannot be read is declined when a site in it is asked for.
            return SourceText.of(new byte[0]);
          }
        });
  }

  private List<Path> all() {
    if (all == null) {
      all = files(List.of(".java"));
    }
    return all;
  }

  /** Returns the Kotlin files in them. */
  public KotlinSources kotlin() {
    if (kotlin == null) {
      kotlin = new KotlinSources(files(List.of(KOTLIN)), refused);
    }
    return kotlin;
  }

  /** Returns the names of the files that are in another language of the JVM. */
  public Set<String> inAnotherLanguage() {
    if (inAnotherLanguage == null) {
      inAnotherLanguage =
          files(OTHER_LANGUAGES).stream()
              .map(file -> file.getFileName().toString())
              .collect(Collectors.toSet());
    }
    return inAnotherLanguage;
  }

  private List<Path> files(List<String> endings) {
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> endings.stream().anyMatch(file.toString()::endsWith))
            .sorted()
            .forEach(found::add);
      } catch (IOException | java.io.UncheckedIOException e) {
        // Files that cannot be listed cannot be patched either.
      }
    }
    return found;
  }
}
