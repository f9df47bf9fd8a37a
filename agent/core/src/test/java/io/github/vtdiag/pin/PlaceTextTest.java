package io.github.vtdiag.pin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.vtdiag.model.HangPlace;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceTextTest {
  private static final HangPlace PLAIN = new HangPlace("a.B.c", "", "a.Lock", "a.D.e");

  /** A class file may name its methods as it likes. */
  private static final HangPlace HOSTILE = new HangPlace("a b\n.c\\s", " ", "\r\n", "x y z a b c");

  @Test
  void anyNamesComeBackAsTheyWere() {
    List<HangPlace> places = List.of(PLAIN, HOSTILE);
    assertEquals(places, PlaceText.parse(PlaceText.write(places, 1_000)));
    assertEquals(List.of(), PlaceText.parse(PlaceText.write(List.of(), 1_000)));
  }

  /** Events of an older agent have none. */
  @Test
  void noTextIsNoPlaceAndAnotherTextIsRefused() {
    assertEquals(List.of(), PlaceText.parse(""));
    assertThrows(IllegalArgumentException.class, () -> PlaceText.parse("a.B.c"));
    assertThrows(IllegalArgumentException.class, () -> PlaceText.parse("a b c d e"));
  }

  @Test
  void whatDoesNotFitIsLeftOutAsAWhole() {
    String one = PlaceText.write(List.of(PLAIN), 1_000);
    assertEquals(one, PlaceText.write(List.of(PLAIN, PLAIN), one.length() + 3));
    assertEquals("", PlaceText.write(List.of(PLAIN), 5));
  }
}
