package io.github.vtdiag.testing;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Methods of one class run beside each other. It is easily lost: with another order of tests than
 * the file system's Surefire gives each class a method orderer, and then JUnit takes a class's
 * methods one after another.
 */
class BesideEachOtherTest {
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  @Test
  void oneMethodMeetsTheOther() throws Exception {
    BOTH.await(2, TimeUnit.MINUTES);
  }

  @Test
  void theOtherMethodMeetsTheOne() throws Exception {
    BOTH.await(2, TimeUnit.MINUTES);
  }
}
