package io.github.vtdiag.cli;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * Standard input of {@code vtdiag mcp}, without the lines that are no messages: at the first of
 * these the SDK would read no further, and neither answer nor end.
 */
final class McpRequests extends InputStream {
  private final BufferedReader lines;
  private final McpJsonMapper json;
  private final Console console;
  private final CountDownLatch ended = new CountDownLatch(1);
  private byte[] line = {};
  private int at;

  McpRequests(InputStream in, McpJsonMapper json, Console console) {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.json = json;
    this.console = console;
  }

  /** Waits until standard input has ended. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    try {
      if (at == line.length && !hasNext()) {
        ended.countDown();
        return -1;
      }
    } catch (IOException e) {
      ended.countDown();
      throw e;
    }
    int count = Math.min(length, line.length - at);
    System.arraycopy(line, at, buffer, offset, count);
    at += count;
    return count;
  }

  /** Reads the next message; returns false at the end. */
  private boolean hasNext() throws IOException {
    for (String next = lines.readLine(); next != null; next = lines.readLine()) {
      if (isMessage(next)) {
        line = (next + "\n").getBytes(StandardCharsets.UTF_8);
        at = 0;
        return true;
      }
      if (!next.isBlank()) {
        console.warn("a line of standard input is no JSON-RPC message; skipped");
      }
    }
    return false;
  }

  private boolean isMessage(String text) {
    try {
      McpSchema.deserializeJsonRpcMessage(json, text);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
