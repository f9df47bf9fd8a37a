package io.github.vtdiag.junit;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The demand on one test. */
public final class Demand {
  /** The test, as JUnit displays it. */
  public final String test;

  /** True if the test has to pin; false if it must not. */
  public final boolean pins;

  /**
   * The length above which pins count; for a test that has to pin, pins of that length count, too.
   */
  public final String limit;

  public final int count;
  public final List<String> owners;

  /**
   * The longest that threads of the test may wait for others when it is over; empty for no limit.
   */
  public final String maxStall;

  Demand(String test, boolean pins, String limit, int count, String maxStall, String... owners) {
    this.test = test;
    this.pins = pins;
    this.limit = limit;
    this.count = count;
    this.maxStall = maxStall;
    this.owners = Collections.unmodifiableList(Arrays.asList(owners.clone()));
  }

  static Demand of(String test, ShouldNotPin not) {
    return new Demand(test, false, not.longest(), not.count(), not.maxStall(), not.owner());
  }

  static Demand of(String test, ShouldPin must) {
    return new Demand(test, true, must.shortest(), must.count(), "", must.owner());
  }
}
