package io.github.vtdiag.policy;

import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** YAML that has a {@link Shape}, with the line numbers of its values. */
final class YamlTree {
  private static final int MAX_SIZE = 1 << 20;

  /** Something in the file. */
  sealed interface Part {
    int line();
  }

  record Text(String text, int line) implements Part {}

  record Sequence(List<Fields> items, int line) implements Part {
    Sequence {
      items = List.copyOf(items);
    }
  }

  record Fields(Map<String, Part> all, int line) implements Part {
    Optional<Text> text(String name) {
      return all.get(name) instanceof Text text ? Optional.of(text) : Optional.empty();
    }

    Optional<Fields> fields(String name) {
      return all.get(name) instanceof Fields fields ? Optional.of(fields) : Optional.empty();
    }

    List<Fields> items(String name) {
      return all.get(name) instanceof Sequence sequence ? sequence.items() : List.of();
    }
  }

  private final String source;

  private YamlTree(String source) {
    this.source = source;
  }

  /**
   * Reads a file's text.
   *
   * @param source the file, as the user knows it
   * @throws DataException if it is no YAML or has another shape; names the line
   */
  static Fields read(String source, String text, Shape.Members shape) throws DataException {
    YamlTree tree = new YamlTree(source);
    Optional<Node> root;
    try {
      LoadSettings settings =
          LoadSettings.builder().setLabel(source).setCodePointLimit(MAX_SIZE).build();
      root = new Compose(settings).composeString(text);
    } catch (MarkedYamlEngineException e) {
      throw tree.broken(
          e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1),
          "is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new DataException(source + ": is not YAML that can be read: " + firstLine(e), e);
    }
    if (root.isEmpty()) {
      throw tree.broken(1, "is empty; expected " + expected(shape));
    }
    return tree.members(root.get(), shape, "the policy");
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private DataException broken(int line, String what) {
    return new DataException(source + ", line " + line + ": " + what);
  }

  private Part part(Node node, Shape shape, String name) throws DataException {
    return switch (shape) {
      case Shape.Scalar scalar -> scalar(node, scalar.value(), name);
      case Shape.Sequence sequence -> sequence(node, sequence.of(), name);
      case Shape.Members members -> members(node, members, name);
      case Shape.Either either ->
          node instanceof MappingNode
              ? members(node, either.full(), name)
              : scalar(node, either.brief().value(), name);
    };
  }

  private Text scalar(Node node, ValueKind value, String name) throws DataException {
    if (!(node instanceof ScalarNode scalar)) {
      throw broken(line(node), name + " must be " + value.expected());
    }
    String text = scalar.getValue();
    if (!isOf(value, scalar.getTag()) || !value.accepts(text)) {
      throw broken(
          line(node),
          name
              + " is "
              + (text.isEmpty() ? "missing" : "'" + text + "'")
              + "; expected "
              + value.expected());
    }
    return new Text(text, line(node));
  }

  /** Returns whether YAML and a schema give it the same type: a number in quotes is a text. */
  private static boolean isOf(ValueKind value, Tag tag) {
    return switch (value) {
      case FLAG -> tag.equals(Tag.BOOL);
      case COUNT -> tag.equals(Tag.INT);
      case FACTOR -> tag.equals(Tag.INT) || tag.equals(Tag.FLOAT);
      case RATE, PERCENT -> tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) || tag.equals(Tag.STR);
      case DURATION, TEXT, DATE, OWNER, PACKAGE, LIBRARY -> tag.equals(Tag.STR);
    };
  }

  private Sequence sequence(Node node, Shape.Members of, String name) throws DataException {
    if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
      throw broken(line(node), name + " must be a list, each item after a dash");
    }
    List<Fields> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(members(item, of, "an item of " + name));
    }
    return new Sequence(items, line(node));
  }

  private Fields members(Node node, Shape.Members shape, String name) throws DataException {
    if (!(node instanceof MappingNode mapping)) {
      throw broken(line(node), name + " must have members: " + expected(shape));
    }
    Map<String, Part> all = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
      int line = line(tuple.getKeyNode());
      Shape.Member member =
          shape.all().stream()
              .filter(each -> each.name().equals(key))
              .findFirst()
              .orElseThrow(() -> unknown(key, line, shape, name));
      if (all.put(key, part(tuple.getValueNode(), member.shape(), key)) != null) {
        throw broken(line, key + " is there twice in " + name);
      }
    }
    for (Shape.Member member : shape.all()) {
      if (member.required() && !all.containsKey(member.name())) {
        throw broken(line(node), name + " has no " + member.name() + "; it needs one");
      }
    }
    if (!shape.oneOf().isEmpty()
        && all.keySet().stream().filter(shape.oneOf()::contains).count() != 1) {
      throw broken(
          line(node), name + " must have exactly one of " + String.join(", ", shape.oneOf()));
    }
    if (all.size() < shape.least()) {
      throw broken(line(node), name + " has too few members; expected " + expected(shape));
    }
    return new Fields(all, line(node));
  }

  private DataException unknown(String key, int line, Shape.Members shape, String name) {
    return broken(
        line,
        "'"
            + key
            + "' is no member of "
            + name
            + Nearest.to(key, shape.names()).map(near -> " (did you mean " + near + "?)").orElse("")
            + "; expected "
            + expected(shape));
  }

  private static String expected(Shape.Members shape) {
    return String.join(", ", shape.names());
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
