package io.github.vtdiag.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.pin.KeptCarrier.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OutsideStacksTest {
  /** What a thread does after its native call is not what it waited in. */
  @ParameterizedTest
  @CsvSource({
    "java.util.regex.Pattern$SliceNode, study, false, false",
    "java.lang.String, charAt, false, false",
    "sun.nio.ch.Net, poll, true, true",
    "java.net.Inet6AddressImpl, lookupAllHostAddr, true, true",
    "java.lang.invoke.LambdaForm$MH, invoke, false, true",
    "jdk.internal.foreign.abi.DowncallStub, invoke, false, true",
    "app.Codec, decode, false, true"
  })
  void onlyWhatCanCallItIsInNativeCode(
      String type, String method, boolean isNative, boolean mayBe) {
    int line = isNative ? -2 : 10;
    StackTraceElement top = new StackTraceElement(type, method, "File.java", line);
    assertEquals(mayBe, OutsideStacks.mayBeInNative(top));
  }

  /** Only then can it be that a foreign function has called back: it is on no stack. */
  @ParameterizedTest
  @CsvSource({
    "PARK, 21, false",
    "PARK, 24, true",
    "MONITOR_ENTRY, 25, true",
    "OBJECT_WAIT, 25, true",
    // Threads that wait for an initializer pin by themselves until Java 26.
    "CLASS_INITIALIZATION, 21, false",
    "CLASS_INITIALIZATION, 25, false",
    "CLASS_INITIALIZATION, 26, true",
    "NATIVE, 25, false"
  })
  void whatPinsByItselfNeedsNoOtherCause(Kind kind, int jdk, boolean beyond) {
    assertEquals(beyond, OutsideStacks.pinsBeyondItsFrames(kind, jdk));
  }
}
