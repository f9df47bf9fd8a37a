package vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import vtdiag.model.PinEpisode;
import vtdiag.model.StackTrace;
import vtdiag.model.ThreadRef;
import vtdiag.pin.Parks.Park;

class ParksTest {
  private static PinEpisode episode(PinEpisode.Kind kind, long thread, long start, long end) {
    return new PinEpisode(
        kind,
        start,
        end - start,
        new ThreadRef(thread, "", true),
        StackTrace.ABSENT,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static PinEpisode pinned(long thread, long start, long end) {
    return episode(PinEpisode.Kind.PINNED, thread, start, end);
  }

  private static List<Optional<String>> join(List<PinEpisode> episodes, Park... parks) {
    return Parks.join(episodes, List.of(parks)).stream().map(PinEpisode::lockClass).toList();
  }

  @Test
  void leavesPinsWithoutParksAlone() {
    assertEquals(List.of(Optional.empty()), join(List.of(pinned(1, 10, 20))));
    assertEquals(List.of(), join(List.of(), new Park(1, 10, 20, "L")));
  }

  @Test
  void ignoresOtherThreads() {
    assertEquals(
        List.of(Optional.empty()), join(List.of(pinned(1, 10, 20)), new Park(2, 11, 19, "L")));
  }

  @Test
  void ignoresParksThatAreNotWithin() {
    assertEquals(
        List.of(Optional.empty()),
        join(
            List.of(pinned(1, 10, 20)),
            new Park(1, 9, 19, "before"),
            new Park(1, 11, 21, "after"),
            new Park(1, 30, 40, "later")));
  }

  @Test
  void ignoresOtherKinds() {
    assertEquals(
        List.of(Optional.empty(), Optional.empty()),
        join(
            List.of(
                episode(PinEpisode.Kind.MONITOR_ENTER, 1, 10, 20),
                episode(PinEpisode.Kind.MONITOR_WAIT, 1, 10, 20)),
            new Park(1, 11, 19, "L")));
  }

  @Test
  void keepsALockClassThatIsKnown() {
    assertEquals(
        List.of(Optional.of("known")),
        join(List.of(pinned(1, 10, 20).withLockClass("known")), new Park(1, 11, 19, "L")));
  }

  @Test
  void takesTheParkWithin() {
    assertEquals(
        List.of(Optional.of("B"), Optional.of("A"), Optional.empty()),
        join(
            List.of(pinned(1, 30, 40), pinned(1, 10, 20), pinned(1, 50, 60)),
            new Park(1, 10, 20, "A"),
            new Park(1, 31, 39, "B")));
  }

  @Test
  void takesTheLongestOfSeveral() {
    assertEquals(
        List.of(Optional.of("long")),
        join(
            List.of(pinned(1, 10, 20)),
            new Park(1, 11, 12, "short"),
            new Park(1, 13, 18, "long"),
            new Park(1, 18, 20, "shorter")));
  }

  @Test
  void changesNeitherArgument() {
    List<Park> parks = new ArrayList<>(List.of(new Park(1, 30, 31, "B"), new Park(1, 11, 12, "A")));
    List<Park> copy = List.copyOf(parks);
    List<PinEpisode> episodes = List.of(pinned(1, 10, 20));
    Parks.join(episodes, parks);
    assertEquals(copy, parks);
    assertEquals(List.of(pinned(1, 10, 20)), episodes);
  }
}
