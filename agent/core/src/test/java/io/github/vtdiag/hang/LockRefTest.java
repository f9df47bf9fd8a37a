package io.github.vtdiag.hang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LockRefTest {
  private static final LockRef OF_CLASS = LockRef.ofStaticField("app.Orders", "LOCK");

  @Test
  void noObjectHasAStaticField() {
    assertEquals("the field lock of an app.Orders", LockRef.ofField("app.Orders", "lock").text());
    assertEquals("the static field app.Orders.LOCK", OF_CLASS.text());
    assertEquals("app.Orders.LOCK", OF_CLASS.place());
  }

  @Test
  void theObjectOfAFieldMayBeTheSame() {
    assertFalse(OF_CLASS.maybeSame(LockRef.ofField("app.Orders", "LOCK")));
    assertTrue(OF_CLASS.maybeSame(LockRef.ofStaticField("app.Orders", "LOCK")));
    assertFalse(OF_CLASS.isSame(OF_CLASS), "the field may be set anew");
  }
}
