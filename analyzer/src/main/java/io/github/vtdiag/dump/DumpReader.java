package io.github.vtdiag.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Reads what {@code jcmd PID Thread.dump_to_file -format=json FILE} writes, thread by thread:
 * memory does not grow with the file. Unknown members are skipped, so that dumps of later JDKs can
 * be read.
 */
final class DumpReader {
  static final String MAKE_ONE = "make one with jcmd PID Thread.dump_to_file -format=json FILE";

  /**
   * The most locks that are told apart. A program rarely has more; any further ones are read again.
   */
  private static final int KNOWN_LOCKS = 50_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxDocumentLength(-1).maxTokenCount(-1).build())
          .build();

  /**
   * The header of a dump.
   *
   * @param source as the user knows it
   * @param processId that of the JVM, as it saw itself; empty if the dump does not tell
   * @param time when the dump was made, in ISO-8601; empty if it does not tell
   * @param version of the Java that ran, such as {@code 21.0.8+9-LTS}
   * @param monitorsComplete whether it has the owners of monitors, if it has states
   * @param whole whether the file was complete
   */
  record Header(
      String source,
      String processId,
      String time,
      String version,
      boolean monitorsComplete,
      boolean whole) {}

  private final JsonParser json;
  private final Consumer<DumpedThread> threads;
  private final StackLines stacks;
  private final Map<String, LockRef> locks = new HashMap<>();
  private String processId = "";
  private String time = "";
  private String version = "";
  private String container = "";
  private boolean monitorsComplete = true;
  private boolean isThreadDump;

  private DumpReader(JsonParser json, StackLines stacks, Consumer<DumpedThread> threads) {
    this.json = json;
    this.stacks = stacks;
    this.threads = threads;
  }

  /**
   * Reads a dump. Of one that was cut off, it reads what is there.
   *
   * @throws DataException if it is anything else
   */
  static Header read(
      InputStream in, String source, StackLines stacks, Consumer<DumpedThread> threads)
      throws DataException {
    try (JsonParser json = JSON.createParser(in)) {
      DumpReader reader = new DumpReader(json, stacks, threads);
      boolean whole = true;
      try {
        reader.document();
      } catch (JsonEOFException | EOFException e) {
        whole = false;
      }
      if (!reader.isThreadDump) {
        throw new DataException(source + " is JSON, but not a thread dump; " + MAKE_ONE);
      }
      return new Header(
          source, reader.processId, reader.time, reader.version, reader.monitorsComplete, whole);
    } catch (StreamConstraintsException e) {
      throw new DataException(source + " is not a thread dump: it is nested too deeply", e);
    } catch (JsonProcessingException e) {
      throw new DataException(
          source
              + " is damaged at line "
              + e.getLocation().getLineNr()
              + ", where it stops being JSON; "
              + MAKE_ONE,
          e);
    } catch (IOException e) {
      throw new DataException(source + " cannot be read; check the file", e);
    }
  }

  private void document() throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean isDump = json.currentName().equals("threadDump");
      if (json.nextToken() == JsonToken.START_OBJECT && isDump) {
        dump();
      } else {
        json.skipChildren();
      }
    }
  }

  private void dump() throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "processId" -> processId = text();
        case "time" -> time = text();
        case "runtimeVersion" -> version = text();
        // Only vtdiag's own dumps have it, before the threads.
        case "monitorsComplete" -> monitorsComplete = json.currentToken() != JsonToken.VALUE_FALSE;
        case "threadContainers" -> {
          isThreadDump = json.currentToken() == JsonToken.START_ARRAY;
          objects(this::container);
        }
        default -> json.skipChildren();
      }
    }
  }

  private void container() throws IOException {
    container = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "container" -> container = text();
        case "threads" -> objects(this::thread);
        default -> json.skipChildren();
      }
    }
  }

  private void thread() throws IOException {
    long id = -1;
    String name = "";
    boolean virtual = false;
    Optional<Thread.State> state = Optional.empty();
    Parked parked = new Parked(Optional.empty(), new LockHolder.NotKnown());
    Optional<String> awaitedClass = Optional.empty();
    Optional<LockRef> monitor = Optional.empty();
    List<String> lines = List.of();
    List<HeldLock> held = List.of();
    OptionalLong carrier = OptionalLong.empty();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      json.nextToken();
      switch (member) {
        case "tid" -> id = number().orElse(-1);
        case "name" -> name = text();
        case "virtual" -> virtual = json.currentToken() == JsonToken.VALUE_TRUE;
        case "state" -> state = state(text());
        case "carrier" -> carrier = number();
        case "blockedOn", "waitingOn" -> monitor = lock();
        case "stack" -> lines = texts();
        case "monitorsOwned" -> held = monitors();
        case "parkBlocker" -> parked = parked();
        case "waitingForClass" -> awaitedClass = Optional.of(text());
        default -> json.skipChildren();
      }
    }
    List<Frame> frames = stacks.stack(lines);
    threads.accept(
        new DumpedThread(
            id,
            name,
            container,
            virtual,
            state,
            parked.blocker(),
            parked.holder(),
            monitor,
            awaitedClass,
            frames,
            held,
            carrier,
            monitorsComplete));
  }

  private record Parked(Optional<LockRef> blocker, LockHolder holder) {}

  private Parked parked() throws IOException {
    Optional<LockRef> blocker = Optional.empty();
    LockHolder holder = new LockHolder.NotKnown();
    Optional<String> ended = Optional.empty();
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return new Parked(blocker, holder);
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      json.nextToken();
      if (member.equals("object")) {
        blocker = lock();
      } else if (member.equals("exclusiveOwnerEnded")) {
        ended = Optional.of(text());
      } else if (member.startsWith("exclusiveOwner")) {
        OptionalLong owner = number();
        if (owner.isPresent()) {
          holder = new LockHolder.HeldBy(owner.getAsLong());
        }
      } else if (member.equals("runnerThreadId")) {
        holder = new LockHolder.RunBy(number().orElseThrow());
      } else if (member.equals("joinedThreadId")) {
        holder = new LockHolder.EndOf(number().orElseThrow());
      } else if (member.equals("nextThreadId")) {
        holder = new LockHolder.Free(number());
      } else {
        json.skipChildren();
      }
    }
    if (ended.isPresent() && holder instanceof LockHolder.HeldBy by) {
      holder = new LockHolder.Ended(by.threadId(), ended.get(), true);
    }
    return new Parked(blocker, holder);
  }

  private List<HeldLock> monitors() throws IOException {
    List<HeldLock> held = new ArrayList<>();
    objects(
        () -> {
          int depth = -1;
          List<String> names = List.of();
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            String member = json.currentName();
            json.nextToken();
            switch (member) {
              case "depth" -> depth = (int) number().orElse(-1);
              case "locks" -> names = texts();
              default -> json.skipChildren();
            }
          }
          for (String name : names) {
            held.add(new HeldLock(HeldLock.Kind.MONITOR, lock(name), depth));
          }
        });
    return List.copyOf(held);
  }

  /** Reads an object, up to its end. */
  private interface Members {
    void read() throws IOException;
  }

  /** Reads the objects of an array and skips everything else in it. */
  private void objects(Members members) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    for (JsonToken token = json.nextToken();
        token != null && token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      if (token == JsonToken.START_OBJECT) {
        members.read();
      } else {
        json.skipChildren();
      }
    }
  }

  /** Reads the texts of an array. Skips everything else, such as null for a lock that is gone. */
  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return texts;
    }
    for (JsonToken token = json.nextToken();
        token != null && token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      if (token == JsonToken.VALUE_STRING) {
        texts.add(json.getText());
      } else {
        json.skipChildren();
      }
    }
    return texts;
  }

  private Optional<LockRef> lock() throws IOException {
    String name = text();
    return name.isEmpty() ? Optional.empty() : Optional.of(lock(name));
  }

  private LockRef lock(String name) {
    if (locks.size() > KNOWN_LOCKS) {
      locks.clear();
    }
    return locks.computeIfAbsent(name, LockRef::parse);
  }

  /** Reads a number. Java 21 writes numbers as text, later JDKs may write them as numbers. */
  private OptionalLong number() throws IOException {
    try {
      return OptionalLong.of(Long.parseLong(text()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static Optional<Thread.State> state(String name) {
    for (Thread.State state : Thread.State.values()) {
      if (state.name().equals(name)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  /** Reads a text or a number as text. Empty for anything else. */
  private String text() throws IOException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
      return json.getText();
    }
    json.skipChildren();
    return "";
  }
}
