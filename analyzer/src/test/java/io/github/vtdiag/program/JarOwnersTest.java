package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.JarContent;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.owner.CodeLocations;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.owner.RepositoryPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which code in jars is the application's own, by what started it and what the user says. */
final class JarOwnersTest {
  private static final String REPOSITORY = "/not/here/.m2/repository/";

  @TempDir private Path folder;

  private Path jar(String name, String... content) throws IOException {
    return TestJar.in(folder, name, content);
  }

  private static ClassMonitors loaded(String className, String from) {
    return new ClassMonitors(
            new ClassRef(className, "app"), from, ClassMonitors.Evidence.LOADED_CLASS, List.of())
        .from(JarContents.of(from));
  }

  private static OwnCode startedAs(String command) {
    return OwnCode.UNTOLD.startedAs(List.of(Launch.of(command)));
  }

  private static OwnCode saying(Predicate<String> hasSource, String... names) {
    return new OwnCode(
        List.of(),
        hasSource,
        Stream.of(names).map(name -> OwnCode.Name.of(name).orElseThrow()).toList());
  }

  /** Whose a class is that was loaded from a place, with nothing on the class path. */
  private static String owner(OwnCode own, String className, String from) throws Exception {
    return owner(own, List.of(), className, loaded(className, from));
  }

  /** Whose a class is; the program, which has it too, says the same if it has the class. */
  private static String owner(
      OwnCode own, List<Path> classPath, String className, ClassMonitors... recorded)
      throws Exception {
    List<String> entries = classPath.stream().map(Path::toString).toList();
    try (ClassPathBytes bytes = ClassPathBytes.open(entries, 21, own)) {
      KnownClasses known = new KnownClasses(List.of(recorded), bytes, JdkClasses.running(), true);
      String owner = text(known.owner(new ClassRef(className, "app")));
      for (ClassSource source : bytes.sources()) {
        if (source.name().equals(className)) {
          assertEquals(owner, text(source.owner()));
        }
      }
      return owner;
    }
  }

  private static String text(Owner owner) {
    return owner instanceof Owner.Application(String location, var coordinates)
        ? "own" + coordinates.map(jar -> " " + jar.text()).orElse("")
        : owner.text();
  }

  @Test
  void withoutAStartAJarWithCoordinatesIsALibrary() throws Exception {
    Path jar = jar("app-1.0.jar", "com.acme:app:1.0", "com.acme.Main", "Main-Class: com.acme.Main");
    assertEquals("com.acme:app 1.0", owner(OwnCode.UNTOLD, List.of(jar), "com.acme.Main"));
  }

  @ParameterizedTest
  @CsvSource({
    "com.acme.Main, org.postgresql.Driver, org/postgresql/postgresql/42.5.4/postgresql-42.5.4.jar",
    "com.acme.Main, com.acmetools.X, com/acmetools/x/1.0/x-1.0.jar",
    "io.github.me.Main, io.github.you.X, io/github/you/x/1.0/x-1.0.jar",
    "org.apache.acme.Main, org.apache.commons.X, org/apache/commons/x/1.0/x-1.0.jar",
    "org.springframework.samples.clinic.Main, org.springframework.X,"
        + " org/springframework/spring-core/6.2.0/spring-core-6.2.0.jar",
    "uk.co.acme.Main, uk.co.other.X, uk/co/other/x/1.0/x-1.0.jar",
    "Main, com.acme.X, com/acme/x/1.0/x-1.0.jar",
    // What starts somebody else's code tells nothing of it.
    "org.apache.maven.surefire.booter.ForkedBooter, org.apache.X, org/apache/x/1.0/x-1.0.jar",
    "org.junit.platform.console.ConsoleLauncher, org.junit.X, org/junit/x/1.0/x-1.0.jar",
  })
  void aRepositorysJarIsSomebodyElses(String mainClass, String type, String path) throws Exception {
    String owner = owner(startedAs(mainClass), type, REPOSITORY + path);
    assertEquals(RepositoryPath.coordinates(REPOSITORY + path).orElseThrow().text(), owner);
  }

  /** One names the jars of libraries, too, and some of them can be started. */
  @Test
  void aLibraryThatIsOnTheClassPathIsNotWhatWasStarted() throws Exception {
    Path h2 = jar("h2-2.2.jar", "com.h2database:h2:2.2", "org.h2.Driver", "Main-Class: org.h2.Run");
    assertEquals(
        "com.h2database:h2 2.2", owner(startedAs("app.jar"), List.of(h2), "org.h2.Driver"));
    assertEquals(
        "com.h2database:h2 2.2", owner(startedAs("com.acme.Main"), List.of(h2), "org.h2.Driver"));
  }

  private static final String RUNNER = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

  /** A program of Quarkus, whose runner loads all other jars. */
  private Path quarkusProgram() throws IOException {
    String lib = "deployments/lib/main/";
    jar("deployments/app/shop-1.0.jar", "com.acme:shop:1.0", "shop.Orders");
    jar(lib + "com.acme.shop-api-1.0.jar", "com.acme:shop-api:1.0", "shopapi.Order");
    jar(
        lib + "com.h2database.h2-2.3.jar",
        "Main-Class: org.h2.tools.Console",
        "com.h2database:h2:2.3",
        "org.h2.Driver");
    jar(lib + "com.github.ben-manes.caffeine.caffeine-3.2.2.jar", "com.github.benmanes.X");
    jar(
        "deployments/quarkus/transformed-bytecode.jar",
        "org.h2.Driver",
        "shop.Orders",
        "shop.Bean");
    return jar("deployments/quarkus-run.jar", "Main-Class: " + RUNNER);
  }

  @ParameterizedTest
  @CsvSource({
    "shop.Orders, own com.acme:shop 1.0",
    "shopapi.Order, own com.acme:shop-api 1.0",
    "org.h2.Driver, com.h2database:h2 2.3",
    "com.github.benmanes.X, com.github.ben-manes.caffeine:caffeine 3.2.2",
  })
  void aProgramOfQuarkusIsTheJarInApp(String type, String owner) throws Exception {
    Path runner = quarkusProgram();
    assertEquals(owner, owner(OwnCode.UNTOLD, List.of(runner), type));
    Path copies = runner.resolveSibling("quarkus").resolve("transformed-bytecode.jar");
    OwnCode own = startedAs("quarkus-run.jar");
    assertEquals(owner, owner(own, List.of(runner), type, loaded(type, copies.toUri() + "")));
  }

  @Test
  void aProgramOfQuarkusOnAnotherMachineIsTheJarInApp() throws Exception {
    String app = "/deployments/app/shop-1.0.jar";
    assertEquals(
        "own shop 1.0", owner(startedAs("/deployments/quarkus-run.jar"), "shop.Orders", app));
    assertEquals("shop 1.0, by its file name", owner(startedAs("shop.Main"), "shop.Orders", app));
  }

  @ParameterizedTest
  @ValueSource(strings = {"app-1.0.jar x y", "./dist/app-1.0.jar", "com.acme.app.Main x.jar"})
  void theJarThatWasStartedIsOwnAndWhatSharesItsGroupId(String command) throws Exception {
    Path app =
        jar(
            "app-1.0.jar",
            "Main-Class: com.acme.app.Main",
            "com.acme:app:1.0",
            "com.acme.app.Main",
            "net.elsewhere.Orders");
    Path sibling = jar("lib/lib-1.0.jar", "com.acme.libs:lib:1.0", "org.acmelib.Store");
    Path other = jar("lib/db-1.0.jar", "org.db:db:1.0", "org.db.Query");
    List<Path> all = List.of(sibling, app, other);
    OwnCode own = startedAs(command);
    assertEquals("own com.acme:app 1.0", owner(own, all, "com.acme.app.Main"));
    assertEquals("own com.acme:app 1.0", owner(own, all, "net.elsewhere.Orders"));
    assertEquals("own com.acme.libs:lib 1.0", owner(own, all, "org.acmelib.Store"));
    assertEquals("org.db:db 1.0", owner(own, all, "org.db.Query"));
    // Without a class path, by where the classes were loaded from.
    assertEquals(
        "own com.acme:app 1.0",
        owner(
            own,
            List.of(),
            "net.elsewhere.Orders",
            loaded("net.elsewhere.Orders", app.toUri() + "")));
    assertEquals(
        "own com.acme.libs:lib 1.0",
        owner(
            own,
            List.of(),
            "org.acmelib.Store",
            loaded("org.acmelib.Store", sibling.toUri() + ""),
            loaded("com.acme.app.Main", app.toUri() + "")));
  }

  @ParameterizedTest
  @CsvSource({
    "/srv/app-1.0.jar, /srv/app-1.0.jar, net.elsewhere.Orders, own app 1.0",
    "app.jar, /srv/app.jar, net.elsewhere.Orders, own",
    "app.jar, /srv/other-1.0.jar, net.elsewhere.Orders, 'other 1.0, by its file name'",
    "app.jar, /srv/app.jar!/BOOT-INF/lib/x-1.0.jar, org.x.X, 'x 1.0, by its file name'",
    "com.acme.app.Main, /srv/lib/common-1.0.jar, com.acme.common.X, own common 1.0",
    "com.acme.app.Main, /srv/lib/common.jar, com.acme.common.X, own",
    "com.acme.app.Main, /srv/lib/common-1.0.jar, com.other.X, 'common 1.0, by its file name'",
    "com.acme.app.Main, '', com.acme.common.X, own",
    "com.acme.app.Main, '', com.other.X, unknown jar",
  })
  void onAnotherMachineItsNameHasToDo(String command, String from, String type, String owner)
      throws Exception {
    assertEquals(owner, owner(startedAs(command), type, from));
  }

  @Test
  void springBootsLoaderIsNotTheApplications() throws Exception {
    ByteArrayOutputStream sibling = new ByteArrayOutputStream();
    TestJar.write(sibling, "com.acme:common:2.0", "com.acme.common.Store");
    Path shop = folder.resolve("shop-1.0.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(shop))) {
      TestJar.put(
          zip,
          "META-INF/MANIFEST.MF",
          """
          Main-Class: org.springframework.boot.loader.launch.JarLauncher
          Start-Class: com.acme.shop.Shop
          Spring-Boot-Version: 3.5.0

          """);
      TestJar.put(
          zip,
          "META-INF/maven/com.acme/shop/pom.properties",
          "groupId=com.acme\nartifactId=shop\nversion=1.0\n");
      TestJar.put(zip, "org/springframework/boot/loader/jar/NestedJarFile.class", "");
      TestJar.put(zip, "BOOT-INF/classes/com/acme/shop/Shop.class", "");
      zip.putNextEntry(new ZipEntry("BOOT-INF/lib/common-2.0.jar"));
      zip.write(sibling.toByteArray());
    }
    String loader = "org.springframework.boot.loader.jar.NestedJarFile";
    String told = "probably org.springframework.boot:spring-boot-loader 3.5.0, by its manifest";
    for (OwnCode own : List.of(startedAs("shop-1.0.jar"), OwnCode.UNTOLD)) {
      assertEquals(told, owner(own, List.of(shop), loader));
      assertEquals("own", owner(own, List.of(shop), "com.acme.shop.Shop"));
      assertEquals("own com.acme:common 2.0", owner(own, List.of(shop), "com.acme.common.Store"));
      assertEquals(told, owner(own, loader, shop.toString()));
    }
    assertEquals(
        "probably org.springframework.boot:spring-boot-loader, by its manifest",
        owner(startedAs("app.jar"), loader, "/srv/app.jar"));
  }

  /** As in a lake of recordings: the agent told what the started jar is, and nobody else has it. */
  @Test
  void springBootsLoaderIsNotTheApplicationsWithoutTheJar() {
    CodeLocations elsewhere = new CodeLocations(false);
    JarContent shop = new JarContent("1", "com.acme:shop:1.0");
    assertEquals(
        new Owner.Library(
            new Coordinates(
                "org.springframework.boot",
                "spring-boot-loader",
                "",
                Coordinates.Evidence.MANIFEST),
            "/srv/shop-1.0.jar"),
        elsewhere.owner(
            "file:/srv/shop-1.0.jar", shop, "org.springframework.boot.loader.jar.NestedJarFile"));
    assertEquals(
        new Owner.Library(new Coordinates("com.acme", "shop", "1.0"), "/srv/shop-1.0.jar"),
        elsewhere.owner("file:/srv/shop-1.0.jar", shop, "com.acme.shop.Shop"));
    String loader =
        "/m2/org/springframework/boot/spring-boot-loader/3.5.0/spring-boot-loader-3.5.0.jar";
    assertEquals(
        new Owner.Library(
            new Coordinates("org.springframework.boot", "spring-boot-loader", "3.5.0"), loader),
        elsewhere.owner(
            "file:" + loader,
            new JarContent("2", "org.springframework.boot:spring-boot-loader:3.5.0"),
            "org.springframework.boot.loader.jar.NestedJarFile"));
  }

  /** The package of such a program names no owner. */
  @Test
  void springBootsLoaderIsNotTheApplicationsInAPackageOfOneName() throws Exception {
    Path shop = folder.resolve("shop-1.0.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(shop))) {
      TestJar.put(
          zip,
          "META-INF/MANIFEST.MF",
          """
          Main-Class: org.springframework.boot.loader.launch.JarLauncher
          Start-Class: shop.Shop
          Spring-Boot-Version: 3.5.0

          """);
      TestJar.put(zip, "org/springframework/boot/loader/jar/NestedJarFile.class", "");
      TestJar.put(zip, "BOOT-INF/classes/shop/Shop.class", "");
    }
    for (OwnCode own : List.of(startedAs("shop-1.0.jar"), OwnCode.UNTOLD)) {
      assertEquals(
          "probably org.springframework.boot:spring-boot-loader 3.5.0, by its manifest",
          owner(own, List.of(shop), "org.springframework.boot.loader.jar.NestedJarFile"));
      assertEquals("own", owner(own, List.of(shop), "shop.Shop"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"app-1.0.jar", "app.jar"})
  void librariesThatAreShadedIntoItAreNotOwn(String name) throws Exception {
    Path jar =
        jar(
            name,
            "Main-Class: com.acme.app.Main",
            "com.acme:app:1.0",
            "org.db:db:3.0",
            "org.moved:moved:2.0",
            "com.acme.app.Main",
            "org.db.Query",
            "com.acme.shaded.org.moved.Moved");
    OwnCode own = startedAs(name);
    assertEquals("own com.acme:app 1.0", owner(own, List.of(jar), "com.acme.app.Main"));
    assertEquals("org.db:db 3.0", owner(own, List.of(jar), "org.db.Query"));
    assertEquals(
        "org.moved:moved 2.0", owner(own, List.of(jar), "com.acme.shaded.org.moved.Moved"));
  }

  /** c3p0, Derby and other libraries leave no POM in a jar into which they are shaded. */
  @Test
  void aShadedLibraryWithoutAPomIsNotOwnWhereTheMainClassHasNoPackageOfTheGroup() throws Exception {
    Path jar =
        jar(
            "shop-2.3.jar",
            "Main-Class: shop.Shop",
            "com.acme:shop:2.3",
            "org.db:db:3.0",
            "shop.Shop",
            "shop.orders.Order",
            "org.db.Query",
            "net.other.Other");
    OwnCode own = startedAs("shop-2.3.jar");
    assertEquals("own com.acme:shop 2.3", owner(own, List.of(jar), "shop.Shop"));
    assertEquals("own com.acme:shop 2.3", owner(own, List.of(jar), "shop.orders.Order"));
    assertEquals("org.db:db 3.0", owner(own, List.of(jar), "org.db.Query"));
    assertEquals("unknown library in " + jar, owner(own, List.of(jar), "net.other.Other"));
  }

  /** Gradle's builds write no POM for the program itself. */
  @Test
  void theOnlyPomOfAProgramMayBeALibrarys() throws Exception {
    Path jar =
        jar(
            "app-all.jar",
            "Main-Class: com.acme.app.Main",
            "org.db:db:3.0",
            "com.acme.app.Main",
            "org.db.Query",
            "net.other.Other");
    OwnCode own = startedAs("app-all.jar");
    assertEquals("own", owner(own, List.of(jar), "com.acme.app.Main"));
    assertEquals("org.db:db 3.0", owner(own, List.of(jar), "org.db.Query"));
    assertEquals("unknown library in " + jar, owner(own, List.of(jar), "net.other.Other"));
  }

  @ParameterizedTest
  @CsvSource({
    "target/lib-1.0.jar, own com.acme:lib 1.0",
    "build/libs/lib-1.0.jar, own com.acme:lib 1.0",
    "target/lib/lib-1.0.jar, com.acme:lib 1.0",
    "libs/lib-1.0.jar, com.acme:lib 1.0",
    "mytarget/lib-1.0.jar, com.acme:lib 1.0",
  })
  void whatABuildMadeIsOwn(String path, String owner) throws Exception {
    Path jar = jar("module/" + path, "com.acme:lib:1.0", "com.acme.lib.Store");
    OwnCode tests = startedAs("org.apache.maven.surefire.booter.ForkedBooter x");
    assertEquals(owner, owner(tests, List.of(jar), "com.acme.lib.Store"));
    assertEquals(owner, owner(tests, "com.acme.lib.Store", jar.toString()));
  }

  @Test
  void whatTheUserSaysIsOwn() throws Exception {
    Path jar = jar("db-1.0.jar", "org.db:db:1.0", "org.db.Query", "org.db.Other");
    OwnCode sources = saying(name -> name.equals("org.db.Query"));
    assertEquals("own org.db:db 1.0", owner(sources, List.of(jar), "org.db.Query"));
    assertEquals("org.db:db 1.0", owner(sources, List.of(jar), "org.db.Other"));
    for (String name : List.of("org.db", "org.db:db", "org.db:*", "org.db.Query")) {
      OwnCode own = saying(none -> false, name);
      assertEquals("own org.db:db 1.0", owner(own, List.of(jar), "org.db.Query"));
    }
    for (String name : List.of("org.d", "org.db:d", "org:*", "org.dbs")) {
      OwnCode own = saying(none -> false, name);
      assertEquals("org.db:db 1.0", owner(own, List.of(jar), "org.db.Query"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "com.acme.", "com.acme:", ":x", "com.acme:a:1.0", "1.2", "*"})
  void whatNamesNeitherAPackageNorALibrary(String text) {
    assertEquals(Optional.empty(), OwnCode.Name.of(text));
  }
}
