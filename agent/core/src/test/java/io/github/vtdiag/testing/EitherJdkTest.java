package io.github.vtdiag.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EitherJdkTest {
  @Test
  void theFullCheckRunsBoth() {
    assertEquals(List.of(Jdk.values()), EitherJdk.Choice.of("anyMethod", true).toList());
  }

  @Test
  void everyBuildRunsOneOfThemAndEachHasItsShare() {
    List<Jdk> first =
        Stream.of("a", "b").flatMap(name -> EitherJdk.Choice.of(name, false)).toList();
    assertEquals(2, first.size());
    assertEquals(List.of(Jdk.values()), first.stream().sorted().toList());
    assertEquals(
        first, Stream.of("a", "b").flatMap(name -> EitherJdk.Choice.of(name, false)).toList());
  }
}
