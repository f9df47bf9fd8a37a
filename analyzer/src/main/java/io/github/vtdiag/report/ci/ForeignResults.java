package io.github.vtdiag.report.ci;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Reads the results of another tool about the sources, from a SARIF 2.1.0 file. Members that are
 * not needed are skipped.
 */
public final class ForeignResults {
  private static final JsonFactory JSON = new JsonFactory();

  /** The kinds of results that ask for nothing. */
  private static final Set<String> CLOSED = Set.of("pass", "notApplicable", "informational");

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

  /**
   * The results of a file.
   *
   * @param open those that are to be dealt with, in the file's order
   * @param closed the number of those that somebody suppressed, and of those that say that all is
   *     well or gone
   */
  public record Read(List<Result> open, int closed) {
    public Read {
      open = List.copyOf(open);
    }
  }

  private final JsonParser json;
  private final List<Result> results = new ArrayList<>();
  private int closed;
  private boolean hasRuns;

  private ForeignResults(JsonParser json) {
    this.json = json;
  }

  /** Reads a file. */
  public static Read read(Path file) throws DataException {
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
      return new Read(reader.results, reader.closed);
    } catch (JsonProcessingException e) {
      throw new DataException(file + " is no JSON that can be read; check it", e);
    } catch (NoSuchFileException e) {
      throw new DataException("there is no file " + file, e);
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

  /** The tool, rules and files of a run, which stand before or after its results. */
  private static final class Shared {
    private String tool = "";
    private final List<String> rules = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
  }

  /** One result as it is read. */
  private static final class Draft {
    private String rule = "";
    private int ruleIndex = -1;
    private String text = "";
    private final List<String> arguments = new ArrayList<>();
    private String path = "";
    private int fileIndex = -1;
    private int firstLine;
    private int lastLine;
    private boolean isClosed;

    private boolean hasPlace() {
      return !path.isEmpty() || fileIndex >= 0;
    }

    private Result result(Shared run) {
      String message = text;
      for (int i = 0; i < arguments.size(); i++) {
        message = message.replace("{" + i + "}", arguments.get(i));
      }
      return new Result(
          run.tool,
          rule.isEmpty() ? at(run.rules, ruleIndex) : rule,
          message,
          path.isEmpty() ? at(run.files, fileIndex) : path,
          firstLine,
          Math.max(firstLine, lastLine));
    }

    private static String at(List<String> texts, int index) {
      return index >= 0 && index < texts.size() ? texts.get(index) : "";
    }
  }

  private void run() throws IOException {
    Shared run = new Shared();
    List<Draft> drafts = new ArrayList<>();
    members(
        name -> {
          switch (name) {
            case "tool" ->
                members(
                    part -> {
                      if (part.equals("driver")) {
                        driver(run);
                      }
                    });
            case "artifacts" -> elements(() -> run.files.add(textAt("location", "uri")));
            case "results" ->
                elements(
                    () -> {
                      Draft draft = result();
                      if (draft.isClosed) {
                        closed++;
                      } else {
                        drafts.add(draft);
                      }
                    });
            default -> {}
          }
        });
    drafts.forEach(draft -> results.add(draft.result(run)));
  }

  private void driver(Shared run) throws IOException {
    members(
        name -> {
          if (name.equals("name")) {
            run.tool = text();
          } else if (name.equals("rules")) {
            elements(() -> run.rules.add(textAt("id")));
          }
        });
  }

  private Draft result() throws IOException {
    Draft draft = new Draft();
    members(
        name -> {
          switch (name) {
            case "ruleId" -> draft.rule = text();
            case "ruleIndex" -> draft.ruleIndex = json.getValueAsInt(-1);
            case "rule" -> rule(draft);
            case "message" -> message(draft);
            case "suppressions" -> elements(() -> draft.isClosed |= isAccepted());
            case "kind" -> draft.isClosed |= CLOSED.contains(text());
            case "baselineState" -> draft.isClosed |= text().equals("absent");
            case "locations" ->
                elements(
                    () ->
                        members(
                            member -> {
                              if (member.equals("physicalLocation") && !draft.hasPlace()) {
                                place(draft);
                              }
                            }));
            default -> {}
          }
        });
    return draft;
  }

  private void rule(Draft draft) throws IOException {
    members(
        name -> {
          if (name.equals("id") && draft.rule.isEmpty()) {
            draft.rule = text();
          } else if (name.equals("index")) {
            draft.ruleIndex = json.getValueAsInt(-1);
          }
        });
  }

  private void message(Draft draft) throws IOException {
    members(
        name -> {
          if (name.equals("text")) {
            draft.text = text();
          } else if (name.equals("arguments")) {
            elements(() -> draft.arguments.add(text()));
          }
        });
  }

  /** Reads a suppression; one that is under review or was rejected suppresses nothing. */
  private boolean isAccepted() throws IOException {
    String status = textAt("status");
    return status.isEmpty() || status.equals("accepted");
  }

  private void place(Draft draft) throws IOException {
    members(
        name -> {
          if (name.equals("artifactLocation")) {
            members(
                member -> {
                  if (member.equals("uri")) {
                    draft.path = text();
                  } else if (member.equals("index")) {
                    draft.fileIndex = json.getValueAsInt(-1);
                  }
                });
          } else if (name.equals("region")) {
            members(
                member -> {
                  if (member.equals("startLine")) {
                    draft.firstLine = json.getValueAsInt();
                  } else if (member.equals("endLine")) {
                    draft.lastLine = json.getValueAsInt();
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
      if (json.currentToken() == token && token.isStructStart()) {
        json.skipChildren();
      }
    }
  }
}
