package io.github.vtdiag.report.ci;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The results of another tool about the sources, from a SARIF 2.1.0 file. Members that are not
 * needed are skipped.
 */
public final class ForeignResults {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One result.
   *
   * @param tool the name of the tool
   * @param rule the id of its rule; empty if it has none
   * @param path the file as the tool names it; empty if the result is about none
   * @param firstLine the first line, from 1; 0 if the result names no line
   * @param lastLine the last line; the same as the first if the result names no other
   */
  public record Result(
      String tool, String rule, String message, String path, int firstLine, int lastLine) {}

  private final JsonParser json;
  private final List<Result> results = new ArrayList<>();
  private boolean hasRuns;

  private ForeignResults(JsonParser json) {
    this.json = json;
  }

  /** Returns the results of a file, in its order. */
  public static List<Result> read(Path file) throws DataException {
    try (InputStream in = Files.newInputStream(file);
        JsonParser json = JSON.createParser(in)) {
      ForeignResults reader = new ForeignResults(json);
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new DataException(file + " is no SARIF: it has no object; check it");
      }
      reader.members(reader::log);
      if (!reader.hasRuns) {
        throw new DataException(file + " is no SARIF: it has no runs; check it");
      }
      return List.copyOf(reader.results);
    } catch (JsonProcessingException e) {
      throw new DataException(file + " is no JSON that can be read; check it", e);
    } catch (IOException e) {
      throw new DataException(file + " cannot be read; check it", e);
    }
  }

  private void log(String name) throws IOException {
    if (name.equals("runs")) {
      hasRuns = true;
      elements(this::run);
    }
  }

  private void run() throws IOException {
    String[] tool = {""};
    int from = results.size();
    members(
        name -> {
          if (name.equals("tool")) {
            tool[0] = textAt("driver", "name");
          } else if (name.equals("results")) {
            elements(this::result);
          }
        });
    for (int i = from; i < results.size(); i++) {
      Result one = results.get(i);
      results.set(
          i,
          new Result(
              tool[0], one.rule(), one.message(), one.path(), one.firstLine(), one.lastLine()));
    }
  }

  private void result() throws IOException {
    String[] texts = {"", "", ""};
    int[] lines = {0, 0};
    members(
        name -> {
          switch (name) {
            case "ruleId" -> texts[0] = text();
            case "message" -> texts[1] = textAt("text");
            case "locations" ->
                elements(
                    () ->
                        members(
                            member -> {
                              if (member.equals("physicalLocation") && texts[2].isEmpty()) {
                                place(texts, lines);
                              }
                            }));
            default -> {}
          }
        });
    results.add(
        new Result("", texts[0], texts[1], texts[2], lines[0], Math.max(lines[0], lines[1])));
  }

  private void place(String[] texts, int[] lines) throws IOException {
    members(
        name -> {
          if (name.equals("artifactLocation")) {
            texts[2] = textAt("uri");
          } else if (name.equals("region")) {
            members(
                member -> {
                  if (member.equals("startLine")) {
                    lines[0] = json.getValueAsInt();
                  } else if (member.equals("endLine")) {
                    lines[1] = json.getValueAsInt();
                  }
                });
          }
        });
  }

  /** Returns the text at a path of members in the next object; empty if there is none. */
  private String textAt(String... path) throws IOException {
    String[] found = {""};
    members(
        name -> {
          if (name.equals(path[0])) {
            found[0] = path.length == 1 ? text() : textAt(Arrays.copyOfRange(path, 1, path.length));
          }
        });
    return found[0];
  }

  private String text() throws IOException {
    String text = json.getValueAsString();
    return text == null ? "" : text;
  }

  private interface Member {
    void read(String name) throws IOException;
  }

  private interface Element {
    void read() throws IOException;
  }

  /** Reads the members of the object that begins here; the unread rest of a value is skipped. */
  private void members(Member reader) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      reader.read(name);
      if (json.currentToken() == value && value.isStructStart()) {
        json.skipChildren();
      }
    }
  }

  private void elements(Element reader) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      return;
    }
    for (JsonToken token = json.nextToken();
        token != null && token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      reader.read();
    }
  }
}
