package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassRefTest {
  @ParameterizedTest
  @CsvSource({
    "javax.servlet.http.HttpServlet, app, false",
    "com.sun.jna.Native, app, false",
    "javaapp.Main, '', false",
    "javax.crypto.Cipher, '', true",
    "javax.sql.rowset.CachedRowSet, platform, true",
    "java.sql.DriverManager, platform, true",
    "sun.nio.ch.NioSocketImpl, '', true",
  })
  void sharedPackagesAreTheJdksOnlyIfItsLoadersLoadedThem(String name, String loader, boolean jdk) {
    assertEquals(jdk, new ClassRef(name, loader).isJdk());
  }

  @ParameterizedTest
  @CsvSource({
    "a.X$$Lambda+0x00007f1234, a.X$$Lambda",
    "a.X$$Lambda.0x00007f1234, a.X$$Lambda",
    "a.X$$Lambda/0x00007f1234, a.X$$Lambda",
    "a.Hex0x12, a.Hex0x12",
    "0x, 0x",
  })
  void hiddenClassesLoseTheirAddress(String recorded, String name) {
    assertEquals(name, new ClassRef(recorded, "").name());
  }

  @ParameterizedTest
  @CsvSource({
    "com.shop.Rates_ClientProxy, true",
    "com.shop.Rates_Subclass, true",
    "com.shop.Orders$quarkusrestinvoker$label_611ee6e31a1214b118f4b7e4563b6956af68753a, true",
    "com.shop.Rates$$Lambda, true",
    "com.shop.Rates, false",
    "com.shop.ClientProxy, false",
    "com.shop.Rates_ClientProxyFactory, false",
    "com.shop.Rates$Subclass, false"
  })
  void whatABuildOrAProgramMakesIsNotWritten(String name, boolean generated) {
    assertEquals(generated, new ClassRef(name, "app").isGenerated());
    assertEquals(!generated, new ClassRef(name, "app").isWritten());
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.A, com.example.A",
    "[Ljava.lang.Object;, java.lang.Object[]",
    "[[I, int[][]",
    "[Z, boolean[]",
    "'', ''"
  })
  void arraysAreNamedAsInSources(String name, String readable) {
    assertEquals(readable, ClassRef.readable(name));
  }
}
