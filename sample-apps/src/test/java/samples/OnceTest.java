package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

class OnceTest {
  private static ExtensionContext ended(Optional<Throwable> failure) {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            OnceTest.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (proxy, method, arguments) -> failure);
  }

  @Test
  void aTestThatFailedIsRepeatedOnAnotherRun() throws Exception {
    Once<Integer> once = new Once<>();
    AtomicInteger made = new AtomicInteger();
    assertEquals(1, once.get("run", made::incrementAndGet));
    once.afterTestExecution(ended(Optional.empty()));
    assertEquals(1, once.get("run", made::incrementAndGet));
    once.afterTestExecution(ended(Optional.of(new AssertionError())));
    assertEquals(2, once.get("run", made::incrementAndGet));
    // A test that did not look at the run says nothing about it.
    once.afterTestExecution(ended(Optional.empty()));
    once.afterTestExecution(ended(Optional.of(new AssertionError())));
    assertEquals(2, once.get("run", made::incrementAndGet));
  }
}
