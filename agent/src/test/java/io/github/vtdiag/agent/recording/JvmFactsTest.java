package io.github.vtdiag.agent.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ServiceInfo;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JvmFactsTest {
  private static final StartedJar SHOP = StartedJar.ofCoordinates("com.acme:shop:1.10");

  private static ServiceInfo of(Map<String, String> environment, Map<String, String> properties) {
    return JvmFacts.service(environment::get, properties::get, SHOP, "");
  }

  @Test
  void nothingButTheListIsTaken() {
    ServiceInfo info =
        of(
            Map.of(
                "OTEL_RESOURCE_ATTRIBUTES",
                "service.name=shop,api.key=hunter2,k8s.pod.name=shop-7f,=x,y,"
                    + "deployment.environment=pro%64,service.namespace= a+b ",
                "DB_PASSWORD",
                "hunter2"),
            Map.of("db.password", "hunter2"));
    assertEquals(new ServiceInfo("shop", "1.10", "", "a+b", "prod", "shop-7f", "", ""), info);
  }

  @Test
  void whoeverIsNearerToTheProgramCounts() {
    Map<String, String> both =
        Map.of("OTEL_SERVICE_NAME", "named", "OTEL_RESOURCE_ATTRIBUTES", "service.name=listed");
    assertEquals("named", of(both, Map.of()).service());
    assertEquals("set", of(both, Map.of("service.name", "set")).service());
    assertEquals("shop", of(Map.of(), Map.of()).service());
    assertEquals(
        ServiceInfo.UNKNOWN, JvmFacts.service(name -> null, name -> null, StartedJar.UNKNOWN, ""));
  }

  @Test
  void aNameThatIsTooLongIsCut() {
    assertEquals(200, of(Map.of(), Map.of("service.name", "x".repeat(10_000))).service().length());
  }

  @Test
  void aContainerIsKnownByItsGroupOrItsMounts() {
    String id = "0123456789abcdef".repeat(4);
    assertEquals(id, JvmFacts.container("12:cpu:/docker/" + id));
    assertEquals(id, JvmFacts.container("0::/system.slice/docker-" + id + ".scope"));
    assertEquals(id, JvmFacts.container("7 1 /var/lib/docker/containers/" + id + "/hostname /x"));
    assertEquals("", JvmFacts.container("0::/"));
    assertEquals("", JvmFacts.container("/docker/0123"));
  }
}
