package io.github.vtdiag.advice;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** Virtual threads that run slow code, or wait, inside monitors of the JDK's own classes. */
@SuppressWarnings("JdkObsolete") // They are what this is about.
final class JdkMonitors {
  private static final int THREADS = 4;
  private static final long SLOW_MILLIS = 40;

  private JdkMonitors() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "table" -> computed(new Hashtable<>());
      case "map" -> computed(Collections.synchronizedMap(new HashMap<>()));
      case "sortedMap" -> computed(Collections.synchronizedSortedMap(new TreeMap<>()));
      case "properties" -> computed(new Properties());
      case "looked" -> looked(new Hashtable<>());
      case "merged" -> merged(new Hashtable<>());
      case "replaced" -> replaced(Collections.synchronizedMap(new HashMap<>()));
      case "visited" -> visited(Collections.synchronizedList(new ArrayList<>(List.of(1, 2))));
      case "vector" -> visited(new Vector<>(List.of(1, 2)));
      case "read" -> read();
      case "written" -> written();
      case "characters" -> characters();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("done");
  }

  private static void each(IntConsumer work) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(Thread.startVirtualThread(() -> work.accept(number)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static int slow(int value) {
    try {
      Thread.sleep(SLOW_MILLIS);
      return value;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void computed(Map<Object, Object> map) throws InterruptedException {
    each(number -> map.computeIfAbsent(number, key -> slow(number)));
  }

  /** A platform thread computes until a virtual thread has waited for something else. */
  private static void looked(Map<Integer, Integer> map) throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    Thread looking =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  await(inside);
                  map.get(1);
                });
    Thread.ofPlatform()
        .start(
            () ->
                map.computeIfAbsent(
                    0,
                    key -> {
                      inside.countDown();
                      while (looking.getState() != Thread.State.BLOCKED) {
                        slow(0);
                      }
                      return slow(key);
                    }));
    looking.start();
    looking.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void merged(Map<Integer, Integer> map) throws InterruptedException {
    map.put(1, 1);
    each(number -> map.merge(1, number, (old, more) -> slow(old + more)));
  }

  private static void replaced(Map<Integer, Integer> map) throws InterruptedException {
    each(number -> map.compute(1, (key, old) -> slow(number)));
  }

  private static void visited(List<Integer> list) throws InterruptedException {
    each(number -> list.forEach(JdkMonitors::slow));
  }

  private static void read() throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out);
    Thread reader =
        Thread.startVirtualThread(
            () -> {
              try {
                byte[] buffer = new byte[8];
                while (in.read(buffer) > 0) {}
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    for (int i = 0; i < THREADS; i++) {
      slow(i);
      out.write(i);
      out.flush();
    }
    out.close();
    reader.join();
  }

  private static void written() throws Exception {
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out, 1);
    Thread writer =
        Thread.startVirtualThread(
            () -> {
              try (out) {
                out.write(new byte[THREADS]);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    do {
      slow(0);
    } while (in.read() >= 0);
    writer.join();
  }

  private static void characters() throws Exception {
    PipedWriter out = new PipedWriter();
    PipedReader in = new PipedReader(out);
    Thread reader =
        Thread.startVirtualThread(
            () -> {
              try {
                while (in.read() >= 0) {}
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    for (int i = 0; i < THREADS; i++) {
      slow(i);
      out.write('a');
      out.flush();
    }
    out.close();
    reader.join();
  }
}
