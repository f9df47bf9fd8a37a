package io.github.vtdiag.compare;

import java.util.ArrayList;
import java.util.List;

/** One of the two things compared. */
public enum Side {
  /** The application as it is. */
  BEFORE,
  /** The application with the change. */
  AFTER;

  /**
   * Returns the sides of all runs, in the order in which they run: A B B A A B ... A drift while
   * the machine warms up or slows down then affects both sides alike.
   */
  public static List<Side> order(int pairs) {
    List<Side> order = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      boolean asIsFirst = pair % 2 == 0;
      order.add(asIsFirst ? BEFORE : AFTER);
      order.add(asIsFirst ? AFTER : BEFORE);
    }
    return order;
  }
}
