package io.github.vtdiag.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TestNamesTest {
  @Test
  void whatJUnitDisplaysOfARepetitionDoesNotStandAlone() {
    assertEquals(
        "OrdersTest.places repetition 1 of 4",
        TestNames.of("com.example.OrdersTest", "places", "repetition 1 of 4"));
    assertEquals(
        "OrdersTest.places [2] 150", TestNames.of("com.example.OrdersTest", "places", "[2] 150"));
    assertEquals(
        "Inner.places an order",
        TestNames.of("com.example.OrdersTest$Inner", "places", "an order"));
  }

  @Test
  void aMethodIsNamedOnce() {
    assertEquals("OrdersTest.places", TestNames.of("com.example.OrdersTest", "places", "places()"));
    assertEquals("OrdersTest.places", TestNames.of("OrdersTest", "places", "places"));
    assertEquals(
        "OrdersTest.places", TestNames.of("OrdersTest", "places", "places(TestInfo, Path)"));
  }
}
