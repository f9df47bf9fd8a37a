package io.github.vtdiag.agent.ends;

import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.WaitDetail;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A program, and the agent that looks at it: three virtual threads wait to read from connections to
 * this JVM, whose other ends are kept by nobody, by virtual threads or by platform threads.
 */
public final class Reads {
  private static final int CLIENTS = 3;

  /** Where a virtual thread waits to read, and where a platform thread does. */
  private static final Set<String> WAITS = Set.of("park", "poll", "read0");

  private static volatile Instrumentation instrumentation;

  private Reads() {}

  public static void premain(String argument, Instrumentation own) {
    instrumentation = own;
  }

  public static void main(String[] args) throws Exception {
    UnansweredReads reads = new UnansweredReads(instrumentation, stack -> true);
    System.out.println("nobody reads: " + reads.of(List.of()));
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<Thread> clients = new ArrayList<>();
      List<Socket> accepted = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        clients.add(reader(socket, true));
        accepted.add(server.accept());
      }
      for (Socket each : accepted) {
        switch (args[0]) {
          case "kept" -> {}
          case "read" -> reader(each, true);
          case "platform" -> reader(each, false);
          default -> throw new IllegalArgumentException(args[0]);
        }
      }
      SocketPollers pollers = new SocketPollers(instrumentation);
      Map<Thread, Integer> descriptors = pollers.descriptors();
      System.out.println(
          "descriptors: " + clients.stream().filter(descriptors::containsKey).count());
      Map<Thread, WaitDetail> ports = reads.of(alike(clients));
      System.out.println("unanswered: " + clients.stream().filter(ports::containsKey).count());
      System.out.println(
          "at the port: "
              + ports.values().stream()
                  .allMatch(
                      port ->
                          port.equals(
                              new WaitDetail(
                                  WaitDetail.Kind.UNREAD_PORT,
                                  String.valueOf(server.getLocalPort())))));
      for (Socket each : accepted) {
        each.close();
      }
      for (Thread each : clients) {
        each.join();
      }
      System.out.println(
          "still waiting: " + clients.stream().filter(pollers.descriptors()::containsKey).count());
      System.out.println("a moment later: " + reads.of(alike(clients)).size());
    }
    System.exit(0);
  }

  private static List<WaitGroup> alike(List<Thread> threads) {
    return List.of(
        new WaitGroup(
            List.of(),
            Thread.State.WAITING,
            "",
            0,
            threads.size(),
            0,
            false,
            0,
            false,
            LongWait.Wakers.NONE,
            threads));
  }

  /** Returns once the thread waits to read, or a platform thread is in the call. */
  private static Thread reader(Socket socket, boolean virtual) {
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    Thread thread = builder.start(() -> read(socket));
    Thread.State waits = virtual ? Thread.State.WAITING : Thread.State.RUNNABLE;
    while (thread.getState() != waits || !isReading(thread)) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private static boolean isReading(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (WAITS.contains(frame.getMethodName())) {
        return true;
      }
    }
    return false;
  }

  private static void read(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {}
    } catch (IOException e) {
      // The other end has closed it.
    }
  }
}
