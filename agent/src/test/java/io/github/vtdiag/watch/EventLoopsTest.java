package io.github.vtdiag.watch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stacks are those of Micronaut 4.9 with {@code loom-carrier} on Netty 4.2. */
class EventLoopsTest {
  private static List<StackTraceElement> stack(String... methods) {
    return Stream.of(methods)
        .map(
            method -> {
              int dot = method.lastIndexOf('.');
              return new StackTraceElement(
                  method.substring(0, dot), method.substring(dot + 1), null, -1);
            })
        .toList();
  }

  @Test
  void aLoopThatWaitsForItsChannelsIsIdle() {
    assertTrue(
        EventLoops.isIdle(
            stack(
                "sun.nio.ch.EPoll.wait",
                "sun.nio.ch.EPollSelectorImpl.doSelect",
                "sun.nio.ch.SelectorImpl.lockAndDoSelect",
                "sun.nio.ch.SelectorImpl.select",
                "io.netty.channel.nio.SelectedSelectionKeySetSelector.select",
                "io.netty.channel.nio.NioIoHandler.select",
                "io.netty.channel.nio.NioIoHandler.run",
                "io.micronaut.http.netty.channel.loom.DelegateIoHandler.run",
                "io.netty.channel.ManualIoEventLoop.run",
                "io.netty.channel.ManualIoEventLoop.run",
                "io.micronaut.http.netty.channel.loom.LoomCarrierGroup$Runner.runIo",
                "java.lang.VirtualThread.run")));
    assertTrue(
        EventLoops.isIdle(
            stack(
                "io.netty.channel.epoll.Native.epollWait",
                "io.netty.channel.epoll.Native.epollWait",
                "io.netty.channel.epoll.EpollIoHandler.epollWait",
                "io.netty.channel.epoll.EpollIoHandler.run",
                "io.netty.channel.ManualIoEventLoop.run")));
  }

  @Test
  void aChannelThatWaitsKeepsTheLoop() {
    assertFalse(
        EventLoops.isIdle(
            stack(
                "sun.nio.ch.EPoll.wait",
                "sun.nio.ch.EPollSelectorImpl.doSelect",
                "sun.nio.ch.SelectorImpl.lockAndDoSelect",
                "sun.nio.ch.SelectorImpl.select",
                "com.acme.Client.ask",
                "io.netty.channel.AbstractChannelHandlerContext.invokeChannelRead",
                "io.netty.channel.nio.NioIoHandler.processSelectedKey",
                "io.netty.channel.nio.NioIoHandler.run",
                "io.netty.channel.ManualIoEventLoop.run")));
    assertFalse(
        EventLoops.isIdle(
            stack(
                "org.sqlite.core.NativeDB.step",
                "io.netty.channel.nio.NioIoHandler.run",
                "io.netty.channel.ManualIoEventLoop.run")));
  }

  @Test
  void aSelectorWithoutSuchALoopIsNoEventLoop() {
    assertFalse(
        EventLoops.isIdle(
            stack("sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "Main.run")));
    assertFalse(EventLoops.isIdle(List.of()));
  }
}
