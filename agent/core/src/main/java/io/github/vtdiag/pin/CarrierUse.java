package io.github.vtdiag.pin;

import io.github.vtdiag.account.Accounting.Code;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.PinReason;
import io.github.vtdiag.model.StackTrace;
import java.util.Optional;
import java.util.Set;

/** As what a carrier's time counts in the account. */
public final class CarrierUse {
  /** The JDK's classes whose native methods are file I/O; the rest of it goes through these. */
  private static final Set<String> FILE_CODE =
      Set.of(
          "java.io.FileCleanable",
          "java.io.FileDescriptor",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.RandomAccessFile",
          "java.io.UnixFileSystem",
          "java.io.WinNTFileSystem",
          "java.nio.MappedMemoryUtils",
          "sun.nio.ch.FileChannelImpl",
          "sun.nio.ch.FileDispatcherImpl",
          "sun.nio.ch.UnixFileDispatcherImpl",
          "sun.nio.fs.UnixNativeDispatcher",
          "sun.nio.fs.LinuxNativeDispatcher",
          "sun.nio.fs.BsdNativeDispatcher",
          "sun.nio.fs.WindowsNativeDispatcher");

  private CarrierUse() {}

  /** Why it was pinned; empty if its thread was in native code, and that is where it counts. */
  public static Optional<PinReason> whilePinned(Attribution attribution) {
    return attribution.operation().kind() == BlockingOperation.Kind.NATIVE
        ? Optional.empty()
        : Optional.of(attribution.primary().reason());
  }

  /** Whether a thread that was seen in native code read, wrote or looked for files there. */
  public static Code inNativeCode(StackTrace stack) {
    return !stack.frames().isEmpty() && FILE_CODE.contains(stack.frames().getFirst().type().name())
        ? Code.FILE
        : Code.NATIVE;
  }
}
