package io.github.vtdiag.agent.programs;

import com.sun.net.httpserver.HttpServer;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Two carriers, which some threads keep while others need one; or share, for as long. */
@SuppressWarnings("ThreadPriorityCheck") // a yield is what it is about
public final class Starves {
  /** Longer than the agent looks before it says so. */
  private static final long LONG_ENOUGH_SECONDS = 13;

  /** Far more than that; then the program ends, so that nobody waits for it. */
  private static final long FOR_EVER_SECONDS = 100;

  private static final Object LOCK = new Object();

  static volatile long result;

  private Starves() {}

  public static void main(String[] args) throws Exception {
    List<Thread> threads = new ArrayList<>();
    switch (args[0]) {
      case "computes" -> keepBoth(threads, () -> compute(seconds(FOR_EVER_SECONDS)));
      case "native" -> keepBoth(threads, () -> waitInNativeCode(false));
      case "slow pipe" -> keepBoth(threads, () -> waitInNativeCode(true));
      case "polls" -> {
        threads.add(Thread.ofVirtual().name("keeper-0").start(() -> result = First.VALUE));
        threads.add(Thread.ofVirtual().name("keeper-1").start(() -> result = Second.VALUE));
        Thread.sleep(500);
        for (int i = 0; i < 3; i++) {
          threads.add(Thread.startVirtualThread(() -> {}));
        }
      }
      case "asks itself" -> keepBoth(threads, ask(Thread.ofVirtual()));
      case "asks itself by http" -> keepBoth(threads, askByHttp());
      case "asks platform threads" -> keepBoth(threads, ask(Thread.ofPlatform().daemon()));
      case "owner waits" -> {
        CountDownLatch held = new CountDownLatch(1);
        Thread.ofPlatform().name("owner").daemon().start(() -> waitInside(held));
        held.await();
        keepBoth(threads, Starves::enter);
      }
      case "turns" -> share(threads, () -> compute(seconds(3)));
      case "yields" ->
          share(
              threads,
              () -> {
                compute(TimeUnit.MILLISECONDS.toNanos(50));
                Thread.yield();
              });
      default -> throw new IllegalArgumentException(args[0]);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("done");
  }

  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private static void keepBoth(List<Thread> threads, Runnable task) {
    for (int i = 0; i < 5; i++) {
      threads.add(Thread.ofVirtual().name("keeper-" + i).start(task));
    }
  }

  /** Waits for what never comes, with a monitor that others want. */
  private static void waitInside(CountDownLatch held) {
    synchronized (LOCK) {
      held.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void enter() {
    synchronized (LOCK) {
      result++;
    }
  }

  private static void startedAndEnded() throws InterruptedException {
    Thread.startVirtualThread(() -> {}).join();
  }

  /** Six threads, of which each has a carrier now and then. */
  private static void share(List<Thread> threads, Runnable turn) throws InterruptedException {
    // The first virtual thread waits until the agent records, and the time begins then.
    startedAndEnded();
    long end = System.nanoTime() + seconds(LONG_ENOUGH_SECONDS);
    for (int i = 0; i < 6; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                while (System.nanoTime() - end < 0) {
                  turn.run();
                  Thread.yield();
                }
              }));
    }
  }

  private static void compute(long nanos) {
    long end = System.nanoTime() + nanos;
    long sum = 0;
    while (System.nanoTime() - end < 0) {
      sum = 31 * sum + System.nanoTime();
    }
    result = sum;
  }

  /**
   * Returns a client, under a monitor of its own, of a server in this program that answers on such
   * threads: they read a whole line, which does not come.
   */
  private static Runnable ask(Thread.Builder answering) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (true) {
                try {
                  Socket accepted = server.accept();
                  answering.start(() -> result = read(accepted));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    return () -> {
      synchronized (new Object()) {
        try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
          socket.getOutputStream().write('a');
          result = socket.getInputStream().read();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /** The same by a client of the JDK, of a server that reads nothing until a carrier is free. */
  private static Runnable askByHttp() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 50);
    server.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.getAddress().getPort()))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    return () -> {
      synchronized (new Object()) {
        try {
          result = client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private static int read(Socket socket) {
    try (InputStream in = socket.getInputStream()) {
      int last = in.read();
      while (last != '\n') {
        last = in.read();
      }
      return last;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class First {
    static final long VALUE = poll();

    private First() {}
  }

  private static final class Second {
    static final long VALUE = poll();

    private Second() {}
  }

  /** Sleeps again and again, which uses a little processor time. */
  private static long poll() {
    try {
      for (long slept = 0; slept < FOR_EVER_SECONDS * 1_000; slept += 40) {
        Thread.sleep(40);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  /** Reads from a pipe into which nobody writes, or a byte now and then. */
  private static void waitInNativeCode(boolean slow) {
    try {
      Path pipe = Files.createTempDirectory("starves").resolve("pipe");
      new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
      if (slow) {
        Thread.ofPlatform().daemon().start(() -> write(pipe));
      }
      try (InputStream in = new FileInputStream(pipe.toFile())) {
        do {
          result = in.read();
        } while (slow && result >= 0);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Path pipe) {
    try (OutputStream out = new FileOutputStream(pipe.toFile())) {
      while (true) {
        Thread.sleep(40);
        out.write(1);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
