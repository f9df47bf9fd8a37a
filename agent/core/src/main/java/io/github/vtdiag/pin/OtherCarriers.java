package io.github.vtdiag.pin;

/**
 * Carriers of other schedulers than the JDK's. Their pins are recorded; where their time goes is
 * not.
 *
 * @param count how many there are
 * @param kept how many were kept by a thread that waited for the threshold or longer
 * @param names what some of them are called
 */
public record OtherCarriers(int count, int kept, String names) {
  public static final OtherCarriers NONE = new OtherCarriers(0, 0, "");

  static OtherCarriers of(EventValues event) {
    return new OtherCarriers(
        (int) event.number("otherCarriers"),
        (int) event.number("otherKept"),
        event.text("otherNames"));
  }
}
