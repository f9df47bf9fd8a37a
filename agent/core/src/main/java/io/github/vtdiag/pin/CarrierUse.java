package io.github.vtdiag.pin;

import io.github.vtdiag.account.Accounting.Code;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.PinReason;
import io.github.vtdiag.model.StackTrace;
import java.util.Optional;
import java.util.Set;

/** The uses of a carrier to which pins and samples count. */
public final class CarrierUse {
  /** The JDK's classes whose native methods are file I/O; all file I/O of the JDK uses them. */
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

  /** Returns the reason of a pin; empty for a wait in native code, which counts as such. */
  public static Optional<PinReason> whilePinned(Attribution attribution) {
    return attribution.operation().kind() == BlockingOperation.Kind.NATIVE
        ? Optional.empty()
        : Optional.of(attribution.primary().reason());
  }

  /** Returns the use by a thread in native code: file I/O in the JDK's code for files. */
  public static Code inNativeCode(StackTrace stack) {
    return !stack.frames().isEmpty() && FILE_CODE.contains(stack.frames().getFirst().type().name())
        ? Code.FILE
        : Code.NATIVE;
  }
}
