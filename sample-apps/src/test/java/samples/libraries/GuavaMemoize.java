package samples.libraries;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import java.util.List;
import java.util.stream.IntStream;

/** Values that are fetched once, when they are first asked for. */
final class GuavaMemoize {
  public static void main(String[] args) throws Exception {
    List<Supplier<String>> settings =
        IntStream.range(0, Calls.THREADS)
            .mapToObj(number -> Suppliers.memoize(() -> fetch(number)))
            .toList();
    Calls.run(
        thread -> {
          String unused = settings.get(thread).get();
        });
  }

  private static String fetch(int number) {
    Calls.think();
    return "setting " + number;
  }

  private GuavaMemoize() {}
}
