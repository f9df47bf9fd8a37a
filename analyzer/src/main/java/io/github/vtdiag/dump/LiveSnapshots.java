package io.github.vtdiag.dump;

import io.github.vtdiag.attach.RunningJvm;
import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.SnapshotReader.SnapshotInput;
import io.github.vtdiag.model.DataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;

/** Two snapshots of a running JVM, saved in a folder. */
public final class LiveSnapshots implements Closeable {
  private static final int VIRTUAL_THREADS = 21;

  /** The first Java that says how many virtual threads are queued. */
  private static final int TELLS_QUEUE = 24;

  private final long pid;
  private final RunningJvm jvm;
  private final SavedSnapshots kept;
  private final Properties properties = new Properties();
  private final int feature;

  /** The agent found a moment ago that no virtual thread had been started. */
  private boolean noneStarted;

  private LiveSnapshots(long pid, RunningJvm jvm, Path folder) throws DataException {
    this.pid = pid;
    this.jvm = jvm;
    this.kept = new SavedSnapshots(folder);
    Properties all = jvm.properties();
    for (String name : Jvm.NEEDED) {
      String value = all.getProperty(name);
      if (value != null) {
        properties.setProperty(name, value);
      }
    }
    this.feature = SnapshotPair.feature(all.getProperty("java.specification.version", ""));
    if (feature < VIRTUAL_THREADS) {
      throw new DataException(
          "process "
              + pid
              + " runs Java "
              + all.getProperty("java.specification.version", "of an unknown version")
              + ", which has no virtual threads; jstack tells its deadlocks");
    }
  }

  /**
   * Connects to a JVM.
   *
   * @param folder for what is read; it exists
   */
  public static LiveSnapshots at(long pid, Duration patience, Path folder) throws DataException {
    RunningJvm jvm = RunningJvm.attach(pid, patience);
    try {
      return new LiveSnapshots(pid, jvm, folder.toAbsolutePath());
    } catch (DataException | RuntimeException e) {
      jvm.close();
      throw e;
    }
  }

  /**
   * Takes a snapshot; they are numbered from 1. {@code Thread.print} runs before the first dump and
   * after the others, so that the figures of two prints cover the time in between.
   */
  public SnapshotInput look(int number) throws DataException {
    try {
      if (number == 1) {
        kept.clear();
      }
      String printed = number == 1 ? print() : "";
      Jvm said = new Jvm(properties, feature < TELLS_QUEUE ? "" : scheduler());
      // Workers that are busy are those of another pool then.
      boolean noCarriers = noneStarted && said.carriers().equals(OptionalInt.of(0));
      String version = properties.getProperty("java.version", "");
      DumpRisk.dump(pid, jvm, version, noCarriers, kept.dump(number));
      kept.write(number, number == 1 ? printed : print(), said);
    } catch (IOException e) {
      throw new DataException(
          kept.dump(number) + " cannot be written; name another folder with --dump", e);
    }
    return kept.read(number);
  }

  /**
   * Has vtdiag's agent take the snapshots from inside the JVM, where the owner of a lock is known.
   *
   * @param interval how long to wait between the first two
   * @return the snapshots; none if there are no virtual threads
   */
  public List<SnapshotInput> fromInside(Path agentJar, Duration interval) throws DataException {
    Path there = jvm.folderFor(kept.folder());
    List<SnapshotInput> looks = new ArrayList<>();
    try {
      kept.clear();
      String before = print();
      jvm.loadAgent(
          agentJar,
          "look=" + interval.toNanos() + ":" + there,
          () -> SavedSnapshots.size(jvm.reached(there)));
      String refused = jvm.agentProperties().getProperty("vtdiag.refused", "");
      String after = print();
      Jvm said = new Jvm(properties, feature < TELLS_QUEUE ? "" : scheduler());
      kept.take(jvm.reached(there));
      for (int number = 1; Files.exists(kept.dump(number)); number++) {
        kept.write(number, number == 1 ? before : after, said);
        looks.add(kept.read(number));
      }
      noneStarted = refused.startsWith("no virtual thread");
      if (looks.size() < 2 && !noneStarted) {
        throw new DataException(
            "vtdiag's agent could not look around in process "
                + pid
                + " ("
                + (refused.isEmpty() ? "an older vtdiag is in it" : refused)
                + "); leave --inside out");
      }
      return looks;
    } catch (IOException e) {
      throw new DataException(
          kept.folder() + " cannot be written; name another folder with --dump", e);
    }
  }

  /** Returns the hangs that vtdiag's agent sees, if it is in that JVM. */
  public List<ToldHang> agentSays() throws DataException {
    return jvm.toldHangs();
  }

  private String print() throws DataException {
    return jvm.ask("Thread.print -l");
  }

  private String scheduler() {
    try {
      return jvm.ask("Thread.vthread_scheduler");
    } catch (DataException e) {
      return ""; // Not every JVM has the command; the states are enough.
    }
  }

  /** Returns the class files that it runs, as far as they can be read from here. */
  public TargetClasses classes() {
    return TargetClasses.of(new Jvm(properties, ""), jvm::reached);
  }

  @Override
  public void close() {
    jvm.close();
  }

  /** Deletes a folder with what was read. */
  public static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // It is in the folder for temporary files.
    }
  }
}
