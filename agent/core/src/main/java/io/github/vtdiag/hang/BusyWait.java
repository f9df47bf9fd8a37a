package io.github.vtdiag.hang;

import io.github.vtdiag.model.Frame;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A loop in which a thread waits for another one without unmounting.
 *
 * @param at the place of the loop
 * @param fields the fields that it reads, as {@code com.example.Foo.ready}
 * @param ender a thread without a carrier that writes one of them; empty if none is seen
 */
public record BusyWait(Frame at, List<String> fields, Optional<SeenThread> ender) {
  public BusyWait {
    fields = List.copyOf(fields);
  }

  /**
   * Returns {@code until com.example.Foo.ready changes}, or {@code until ReentrantLock.tryLock
   * succeeds}.
   */
  public static String until(Collection<String> fields) {
    return "until "
        + fields.stream()
            .sorted()
            .map(name -> name.endsWith("()") ? name + " succeeds" : name + " changes")
            .collect(Collectors.joining(" or "));
  }
}
