package io.github.vtdiag.findings;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Classifies what a thread in native code does, by the JDK's frames on top of its stack. */
final class NativeCode {
  /** The names of the JDK's file classes, or how they begin. */
  private static final List<String> FILES =
      List.of(
          "java.io.File",
          "java.io.RandomAccessFile",
          "java.io.UnixFileSystem",
          "java.io.WinNTFileSystem",
          "sun.nio.fs.",
          "sun.nio.ch.FileDispatcher",
          "sun.nio.ch.UnixFileDispatcher",
          "sun.nio.ch.FileChannelImpl");

  private static final Set<String> NAMES =
      Set.of(
          "java.net.InetAddress",
          "java.net.Inet4AddressImpl",
          "java.net.Inet6AddressImpl",
          "java.net.InetAddress$PlatformResolver");

  private static final Set<String> PROCESSES =
      Set.of("java.lang.ProcessImpl", "java.lang.ProcessBuilder");

  private NativeCode() {}

  /** Returns the kind; empty for what the JDK does itself, such as looking for a carrier. */
  static Optional<MisuseKind> kind(StackTrace stack) {
    for (Frame frame : stack.frames()) {
      String type = frame.type().name();
      if (NAMES.contains(type)) {
        return Optional.of(MisuseKind.NAME_LOOKUP);
      }
      if (PROCESSES.contains(type)) {
        return Optional.of(MisuseKind.PROCESS_START);
      }
      if (FILES.stream().anyMatch(type::startsWith)) {
        return isOfProcess(stack)
            ? Optional.of(MisuseKind.PROCESS_START)
            : Optional.of(MisuseKind.FILE_IO);
      }
      if (!frame.type().isJdk()) {
        return frame.isNative() ? Optional.of(MisuseKind.NATIVE_CALL) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean isOfProcess(StackTrace stack) {
    for (Frame frame : stack.frames()) {
      if (!frame.type().isJdk()) {
        return false;
      }
      if (frame.is("java.lang.ProcessBuilder", "start")) {
        return true;
      }
    }
    return false;
  }
}
