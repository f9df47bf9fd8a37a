package io.github.vtdiag.pin;

/**
 * Carriers of other schedulers than the JDK's. Their pins are recorded, but not their other uses.
 *
 * @param count the number of them
 * @param kept the number of them whose thread waited for the threshold or longer
 * @param names the names of some of them
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
