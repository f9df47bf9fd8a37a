package io.github.vtdiag.agent.programs;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.Deflater;
import jdk.jfr.consumer.EventStream;

/**
 * One thread that waits in native code, until the watch has told of it; then many more that compute
 * there than there are processors, until the watch has looked for a while.
 */
public final class Overloads {
  private static final int THREADS = 40;
  private static final int BYTES = 8_000_000;
  private static final int LOOKS = 3;

  private Overloads() {}

  public static void main(String[] args) throws Exception {
    Path fifo = Path.of("fifo").toAbsolutePath();
    new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor();
    byte[] random = new byte[BYTES];
    new Random(1).nextBytes(random);
    ByteBuffer input = ByteBuffer.allocateDirect(BYTES).put(random).flip();
    ByteBuffer output = ByteBuffer.allocateDirect(2 * BYTES);
    Thread.ofVirtual().name("waits").start(() -> open(fifo));
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(LOOKS);
    try (EventStream events = EventStream.openRepository()) {
      events.setStartTime(Instant.EPOCH);
      events.onEvent("vtdiag.CarrierKept", event -> told.countDown());
      events.onEvent("vtdiag.Watch", event -> looked.countDown());
      events.startAsync();
      // Only then, or JFR would take very long to start.
      told.await();
      for (int i = 0; i < THREADS; i++) {
        ByteBuffer own = input.duplicate();
        ByteBuffer out = output.duplicate(); // Nobody reads it.
        Thread.ofVirtual().name("computes").start(() -> deflate(own, out));
      }
      looked.await();
    }
    System.out.println("done");
    System.exit(0);
  }

  private static void open(Path fifo) {
    try (FileInputStream in = new FileInputStream(fifo.toFile())) {
      System.out.println(in.read());
    } catch (IOException e) {
      System.out.println(e);
    }
  }

  private static void deflate(ByteBuffer input, ByteBuffer output) {
    while (true) {
      Deflater deflater = new Deflater();
      deflater.setInput(input.clear());
      deflater.finish();
      deflater.deflate(output.clear());
      deflater.end();
    }
  }
}
