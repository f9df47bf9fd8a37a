package io.netty.channel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;

/**
 * Stands in for Netty's loop of that name in the programs of the tests: on a stack it looks the
 * same.
 */
public final class ManualIoEventLoop {
  private final Selector selector;

  public ManualIoEventLoop(Selector selector) {
    this.selector = selector;
  }

  /** Waits for I/O, and calls a channel, until the selector is closed. */
  public void run(Runnable channel) {
    try {
      while (selector.isOpen()) {
        selector.select(300);
        channel.run();
      }
    } catch (ClosedSelectorException e) {
      // The loop has ended.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
