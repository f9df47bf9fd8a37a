package io.github.vtdiag.program;

import io.github.vtdiag.owner.ZipBytes;
import io.github.vtdiag.program.UseIndex.Scanned;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Scans all classes of a program, on all cores. The results are in the order of the class path,
 * however many threads took part.
 */
final class ProgramReader {
  /**
   * The number of class files that one thread takes at a time. They are of one jar, and are read in
   * one run.
   */
  private static final int CLASSES_AT_A_TIME = 500;

  /** The most threads that scan; more would wait for the same disk. */
  private static final int MOST_THREADS = 8;

  private record ReadClass(ClassSource source, ClassScan.Head head) {}

  /** The class files of one run: each is either read or unreadable. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Run(
      List<ReadClass> read,
      List<UnreadClass> unread,
      long[] keys,
      int[] methods,
      Set<String> dynamicTypes,
      Optional<CallScan.Calls> calls) {}

  /** All readable classes of a program, in order; the unreadable ones are below. */
  final List<ClassFile> classes = new ArrayList<>();

  final List<UnreadClass> unread = new ArrayList<>();
  final RecentBytes recent = new RecentBytes();
  private final List<Scanned> scans = new ArrayList<>();

  /** The calls in each run of classes; empty if they were not asked for. */
  final List<CallScan.Calls> calls = new ArrayList<>();

  private int[] firstMethods = new int[0];

  /**
   * @param withCalls whether a call graph is wanted
   */
  ProgramReader(List<ClassSource> sources, boolean withCalls) {
    List<Run> runs = scan(split(sources), withCalls);
    Set<String> names = new HashSet<>();
    firstMethods = new int[runs.stream().mapToInt(run -> run.read().size()).sum()];
    int method = 0;
    for (Run run : runs) {
      scans.add(new Scanned(run.keys(), run.methods(), run.dynamicTypes(), method));
      unread.addAll(run.unread());
      run.calls().ifPresent(calls::add);
      for (ReadClass each : run.read()) {
        ClassScan.Head head = each.head();
        firstMethods[classes.size()] = method;
        method += head.methods();
        // The first of two classes with one name counts.
        classes.add(names.add(head.name()) ? new ClassFile(head, each.source(), recent) : null);
      }
    }
  }

  UseIndex index(TypeHierarchy hierarchy) {
    return new UseIndex(classes, firstMethods, scans, hierarchy);
  }

  private static List<List<ClassSource>> split(List<ClassSource> sources) {
    List<List<ClassSource>> runs = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= sources.size(); i++) {
      if (i == sources.size()
          || i - start == CLASSES_AT_A_TIME
          || !sources.get(i).location().equals(sources.get(start).location())) {
        runs.add(sources.subList(start, i));
        start = i;
      }
    }
    return runs;
  }

  private static List<Run> scan(List<List<ClassSource>> runs, boolean withCalls) {
    int threads =
        Math.min(
            Math.min(Runtime.getRuntime().availableProcessors(), MOST_THREADS),
            Math.max(1, runs.size()));
    List<Future<Run>> futures = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("class reader ", 1).factory())) {
      for (List<ClassSource> run : runs) {
        futures.add(pool.submit(() -> scanRun(run, withCalls)));
      }
      List<Run> scanned = new ArrayList<>();
      for (Future<Run> future : futures) {
        scanned.add(future.get());
      }
      return scanned;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while classes were read", e);
    }
  }

  private static Run scanRun(List<ClassSource> sources, boolean withCalls) {
    ClassScan scan = new ClassScan();
    Optional<CallScan> callScan = withCalls ? Optional.of(new CallScan()) : Optional.empty();
    List<ReadClass> all = new ArrayList<>();
    List<UnreadClass> unread = new ArrayList<>();
    Map<String, ClassSource> byEntry = new HashMap<>();
    ZipBytes.Sink sink =
        new ZipBytes.Sink() {
          @Override
          public void read(String name, byte[] bytes, int length) {
            ClassSource source = byEntry.get(name);
            try {
              ClassScan.Head head = scan.scan(bytes, length);
              callScan.ifPresent(calls -> calls.scan(bytes, length));
              all.add(new ReadClass(source, head));
            } catch (IllegalArgumentException e) {
              unread.add(unread(source, e));
            }
          }

          @Override
          public void failed(String name, IOException why) {
            unread.add(unread(byEntry.get(name), why));
          }
        };
    if (sources.getFirst() instanceof ClassSource.InRoot(ClassRoot.Jar jar, var n, var e, var o)) {
      List<String> entries = new ArrayList<>();
      for (ClassSource source : sources) {
        ClassSource.InRoot in = (ClassSource.InRoot) source;
        entries.add(in.entry());
        byEntry.put(in.entry(), source);
      }
      jar.zip().readEach(entries, sink);
    } else {
      for (ClassSource source : sources) {
        byEntry.put("", source);
        try {
          byte[] bytes = source.read();
          sink.read("", bytes, bytes.length);
        } catch (IOException why) {
          sink.failed("", why);
        }
      }
    }
    return new Run(
        all,
        unread,
        Arrays.copyOf(scan.keys, scan.size),
        Arrays.copyOf(scan.methods, scan.size),
        scan.dynamicTypes,
        callScan.map(CallScan::calls));
  }

  private static UnreadClass unread(ClassSource source, Exception why) {
    return new UnreadClass(source.name(), source.location(), why.getMessage());
  }
}
