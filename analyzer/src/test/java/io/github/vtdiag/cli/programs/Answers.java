package io.github.vtdiag.cli.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on virtual threads, which may be one that goes wrong in the way its argument says. */
public final class Answers {
  private static final int BACKLOG = 100;

  /** Whoever waits for a first answer may have to ask a few times on a slow machine. */
  private static final int FIRST = 20;

  /** Whoever asks whether it is there may give up its first request, and that is answered too. */
  private static final int FEW = 3;

  /** One answer in so many collects the garbage, at which JFR tells of the heap. */
  private static final int COLLECT = 16;

  /** How long a server that is not ready says so: longer than an error is taken for temporary. */
  private static final long NOT_READY_NANOS = 7_000_000_000L;

  private final AtomicInteger answered = new AtomicInteger();
  private final long started = System.nanoTime();

  private Answers() {}

  public static void main(String[] args) throws Exception {
    String how = args[0];
    switch (how) {
      case "dies" -> {
        System.err.println("no database");
        System.exit(7);
      }
      case "silent" -> {
        System.out.println("thinking");
        Thread.sleep(Long.MAX_VALUE);
      }
      case "clings" -> {
        Runtime.getRuntime().addShutdownHook(new Thread(Answers::hang));
        child();
      }
      default -> {}
    }
    Answers answers = new Answers();
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])),
            BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answers.answer(how, exchange));
    server.start();
    System.out.println("listening");
  }

  /** Another process of the same kind, which stays when this one goes. */
  private static void child() throws IOException {
    new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dmark=" + System.getProperty("mark"),
            "-cp",
            System.getProperty("java.class.path"),
            Answers.class.getName(),
            "silent")
        .inheritIO()
        .start();
  }

  private static void hang() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(String how, HttpExchange exchange) throws IOException {
    int before = answered.getAndIncrement();
    if (how.equals("dies-later") && before > FIRST) {
      System.out.println("out of luck");
      Runtime.getRuntime().halt(8);
    }
    if (before % COLLECT == 0) {
      System.gc();
    }
    if (!how.equals("stalls") || before < FEW) {
      if (Boolean.getBoolean("unlocked")) {
        think();
      } else {
        synchronized (exchange) {
          think();
        }
      }
    } else {
      hang();
    }
    int status =
        switch (how) {
          case "well", "clings" -> 200;
          case "404", "500" -> Integer.parseInt(how);
          case "503-at-first" -> System.nanoTime() - started < NOT_READY_NANOS ? 503 : 200;
          case "404-at-first" -> System.nanoTime() - started < NOT_READY_NANOS ? 404 : 200;
          default -> before <= FIRST ? 200 : 500;
        };
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private static void think() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
