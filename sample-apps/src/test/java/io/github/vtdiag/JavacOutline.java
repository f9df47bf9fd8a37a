package io.github.vtdiag;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * What javac makes of a Java file, in the order of the file: the second opinion on {@link
 * JavaText}.
 *
 * @param nodes the kind of each node of the syntax tree, with its name or value if it has one;
 *     strings and characters are left out
 * @param strings all strings, joined: javac joins the literals of {@code "a" + "b"} itself
 */
record JavacOutline(List<String> nodes, String strings) {
  static JavacOutline of(String text) {
    return of(List.of(text)).getFirst();
  }

  /** One outline for each file. A javac costs far more to start than a file to parse. */
  static List<JavacOutline> of(List<String> texts) {
    var errors = new DiagnosticCollector<JavaFileObject>();
    var javac =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(
                    null,
                    null,
                    errors,
                    List.of("-proc:none"),
                    null,
                    texts.stream().map(JavacOutline::file).toList());
    List<JavacOutline> outlines = new ArrayList<>();
    try {
      for (CompilationUnitTree unit : javac.parse()) {
        var scanner = new Scanner();
        scanner.scan(unit, null);
        outlines.add(new JavacOutline(scanner.nodes, scanner.strings.toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!errors.getDiagnostics().isEmpty() || outlines.size() != texts.size()) {
      throw new IllegalArgumentException(
          errors.getDiagnostics() + " in:\n" + String.join("\n", texts));
    }
    return outlines;
  }

  private static JavaFileObject file(String text) {
    return new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public String getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final List<String> nodes = new ArrayList<>();
    private final StringBuilder strings = new StringBuilder();

    @Override
    public Void scan(Tree tree, Void nothing) {
      if (tree != null) {
        nodes.add(tree.getKind() + " " + label(tree));
        if (tree.getKind() == Tree.Kind.STRING_LITERAL) {
          strings.append(((LiteralTree) tree).getValue());
        }
      }
      return super.scan(tree, null);
    }

    private static Object label(Tree tree) {
      return switch (tree) {
        case ClassTree type -> type.getSimpleName();
        case MethodTree method -> method.getName();
        case VariableTree variable -> variable.getName();
        case IdentifierTree identifier -> identifier.getName();
        case MemberSelectTree select -> select.getIdentifier();
        case MemberReferenceTree reference -> reference.getName();
        case ModifiersTree modifiers -> modifiers.getFlags();
        case PrimitiveTypeTree primitive -> primitive.getPrimitiveTypeKind();
        case LiteralTree literal
            when literal.getKind() != Tree.Kind.STRING_LITERAL
                && literal.getKind() != Tree.Kind.CHAR_LITERAL ->
            String.valueOf(literal.getValue());
        default -> "";
      };
    }
  }
}
