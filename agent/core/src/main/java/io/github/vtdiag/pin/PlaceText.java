package io.github.vtdiag.pin;

import io.github.vtdiag.model.HangPlace;
import java.util.ArrayList;
import java.util.List;

/**
 * The text in which an event of the agent carries the places of a hang: a line a place, {@code
 * method caller lock holder}. Names are escaped as in Java source.
 */
public final class PlaceText {
  private static final int WORDS = 4;

  private PlaceText() {}

  /** Writes as many of them as fit into {@code most} characters. */
  public static String write(List<HangPlace> places, int most) {
    StringBuilder text = new StringBuilder();
    for (HangPlace place : places) {
      String line =
          String.join(
              " ",
              StackText.escape(place.method()),
              StackText.escape(place.caller()),
              StackText.escape(place.lock()),
              StackText.escape(place.holder()));
      if (text.length() + line.length() >= most) {
        break;
      }
      text.append(line).append('\n');
    }
    return text.toString();
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static List<HangPlace> parse(String text) {
    List<HangPlace> places = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words.length == WORDS) {
        places.add(
            new HangPlace(
                words[0].translateEscapes(),
                words[1].translateEscapes(),
                words[2].translateEscapes(),
                words[3].translateEscapes()));
      } else if (!line.isEmpty()) {
        throw new IllegalArgumentException("not a place: " + line);
      }
    }
    return places;
  }
}
