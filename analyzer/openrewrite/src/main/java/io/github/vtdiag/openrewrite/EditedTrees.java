package io.github.vtdiag.openrewrite;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.SourceFile;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.tree.J;
import org.openrewrite.text.PlainTextParser;

/**
 * Patched texts as trees again: of Java with types, for the recipes that follow, and of all else as
 * plain text.
 */
final class EditedTrees {
  private EditedTrees() {}

  static Map<Path, SourceFile> of(
      Map<Path, String> texts, Map<Path, SourceFile> before, Iterable<String> classPath) {
    Map<Path, SourceFile> parsed = parsed(texts, before, classPath);
    Map<Path, SourceFile> edited = new LinkedHashMap<>();
    texts.forEach(
        (path, text) -> {
          SourceFile tree = parsed.get(path);
          edited.put(
              path,
              tree != null && GivenSources.text(tree).equals(text)
                  ? tree
                  : PlainTextParser.convert(before.get(path)).withText(text));
        });
    return edited;
  }

  private static Map<Path, SourceFile> parsed(
      Map<Path, String> texts, Map<Path, SourceFile> before, Iterable<String> classPath) {
    List<Parser.Input> inputs = new ArrayList<>();
    texts.forEach(
        (path, text) -> {
          if (before.get(path) instanceof J.CompilationUnit) {
            inputs.add(Parser.Input.fromString(path, text));
          }
        });
    Map<Path, SourceFile> trees = new LinkedHashMap<>();
    if (inputs.isEmpty()) {
      return trees;
    }
    List<Path> path = new ArrayList<>();
    classPath.forEach(entry -> path.add(Paths.get(entry)));
    try {
      JavaParser parser =
          JavaParser.fromJavaVersion()
              .classpath(path)
              .logCompilationWarningsAndErrors(false)
              .build();
      List<SourceFile> all =
          parser
              .parseInputs(inputs, null, new InMemoryExecutionContext(problem -> {}))
              .collect(Collectors.toList());
      for (SourceFile tree : all) {
        SourceFile old = before.get(tree.getSourcePath());
        if (tree instanceof J.CompilationUnit && old != null) {
          trees.put(
              tree.getSourcePath(),
              ((SourceFile) tree.withId(old.getId()))
                  .<SourceFile>withCharset(old.getCharset())
                  .<SourceFile>withCharsetBomMarked(old.isCharsetBomMarked())
                  .<SourceFile>withFileAttributes(old.getFileAttributes()));
        }
      }
    } catch (RuntimeException e) {
      // The text is right all the same; following recipes see it as text.
      RecipeLog.warn("the patched files cannot be parsed again: " + e.getMessage());
      trees.clear();
    }
    return trees;
  }
}
