package io.github.vtdiag.page;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlamesTest {
  private static final Owner OURS = new Owner.Application("shop.jar");
  private static final Frame ORDERS = frame("com.acme.Orders", "place", 3, 10);
  private static final Frame PROXY = frame("com.acme.Orders_Subclass", "place", 3, -1);

  private static List<String> whose(Map<ClassRef, Owner> owners, Frame... frames) {
    Flames flames = new Flames();
    flames.add(stack(frames), 1, owners);
    return flames.columns().whose();
  }

  @Test
  void aPackageOfSeveralOwnersTellsNothing() {
    Frame elsewhere = frame("com.acme.Other", "run", 3, 10);
    assertEquals(
        List.of("strange"),
        whose(
            Map.of(ORDERS.type(), OURS, elsewhere.type(), new Owner.Application("other.jar")),
            PROXY));
    assertEquals(
        List.of("strange"),
        whose(Map.of(ORDERS.type(), OURS), frame("com.acme.web.Page", "show", 3, 10)));
    assertEquals(List.of("strange"), whose(Map.of(), PROXY));
  }

  /** Quarkus and others generate proxies, whose jar is neither the application's nor a library. */
  @Test
  void aGeneratedClassIsOfTheOwnerOfItsPackage() {
    assertEquals(
        List.of("application", "application"),
        whose(
            Map.of(
                ORDERS.type(),
                OURS,
                PROXY.type(),
                new Owner.UnknownJar("quarkus/generated-bytecode.jar")),
            ORDERS,
            PROXY));
  }
}
