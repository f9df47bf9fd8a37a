package io.github.vtdiag.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import whatif.Looks;
import whatif.Slots;
import whatif.Untyped;

/** The table that has the locks of a what-if, and who can reach it. */
class LockTableIT {
  private static final String REWRITTEN =
      AgentJar.option("output=a.jfr,warn=off,summary=off,rewrite=auto");

  @TempDir Path folder;

  private void assertSame(Jdk jdk, String out, String... arguments) throws Exception {
    Forked bare = Forked.java(jdk, folder, arguments);
    assertEquals(out, bare.out(), bare.err());
    List<String> all = new ArrayList<>(List.of("-Xverify:all", REWRITTEN));
    all.addAll(List.of(arguments));
    Forked rewritten = Forked.java(jdk, folder, all.toArray(String[]::new));
    assertEquals(out, rewritten.out(), rewritten.err());
    assertEquals(0, rewritten.exitCode(), rewritten.err());
  }

  @ParameterizedTest
  @EitherJdk
  void threadsAreAloneInTheirLocksAndTheTableIsEmptyAfterwards(Jdk jdk) throws Exception {
    assertSame(
        jdk,
        """
        one 1: none lost
        few 3: none lost
        many 300: none lost
        alike 6: none lost
        slots in use: 0
        failures: 0
        """,
        "-cp",
        AgentJar.PROGRAMS.toString(),
        Slots.class.getName(),
        "2000");
  }

  private void compile(Path sources, Path to, Path modules, String... files) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("--release", "21", "-d", to.toString(), "-p", modules.toString()));
    for (String file : files) {
      arguments.add(sources.resolve(file).toString());
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new)));
  }

  private static void write(Path file, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @ParameterizedTest
  @EitherJdk
  void modulesLayersAndAloofLoadersReachIt(Jdk jdk) throws Exception {
    Path out = folder.resolve("modules");
    write(folder.resolve("m/module-info.java"), "module m { exports m; }");
    write(
        folder.resolve("m/m/Counter.java"),
        """
        package m;
        public class Counter implements Runnable {
          int n;
          public synchronized void run() {
            Runnable wake = this::notifyAll;
            wake.run();
            notify();
            System.out.println(getClass().getModule() + " " + ++n + " " + Thread.holdsLock(this));
          }
        }
        """);
    write(folder.resolve("n/module-info.java"), "module n { requires m; }");
    write(
        folder.resolve("n/q/Main.java"),
        """
        package q;
        import java.lang.module.*;
        import java.nio.file.*;
        import java.util.*;
        public class Main {
          static class Aloof extends ClassLoader {
            @Override protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
              if (name.startsWith("java.")) {
                return super.loadClass(name, resolve);
              }
              try {
                Path file = Path.of(System.getProperty("m"), name.replace('.', '/') + ".class");
                byte[] bytes = Files.readAllBytes(file);
                return defineClass(name, bytes, 0, bytes.length);
              } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
              }
            }
          }
          public static void main(String[] arguments) throws Exception {
            synchronized (Main.class) {
              new m.Counter().run();
            }
            ModuleFinder finder = ModuleFinder.of(Path.of(System.getProperty("m")));
            Configuration configuration =
                ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("m"));
            ClassLoader loader =
                ModuleLayer.boot().defineModulesWithOneLoader(configuration, null).findLoader("m");
            ((Runnable) loader.loadClass("m.Counter").getConstructor().newInstance()).run();
            Class<?> aloof = Class.forName("m.Counter", true, new Aloof());
            System.out.println(aloof.getModule().isNamed());
            synchronized (aloof) {
              aloof.getMethod("hashCode").invoke(aloof.getConstructor().newInstance());
            }
            Object object = aloof.getConstructor().newInstance();
            System.setOut(new java.io.PrintStream(System.out) {
              @Override public void println(String line) {
                super.println(line.replaceAll("@\\\\S+ ", ""));
              }
            });
            ((Runnable) object).run();
          }
        }
        """);
    compile(folder.resolve("m"), out.resolve("m"), out, "module-info.java", "m/Counter.java");
    compile(folder.resolve("n"), out.resolve("n"), out, "module-info.java", "q/Main.java");
    assertSame(
        jdk,
        """
        module m 1 true
        module m 1 true
        false
        unnamed module 1 true
        """,
        "-Dm=" + out.resolve("m"),
        "-p",
        out.toString(),
        "-m",
        "n/q.Main");
  }

  @ParameterizedTest
  @EitherJdk
  void librariesSeeTheClassAsItWasWritten(Jdk jdk) throws Exception {
    String classPath =
        AgentJar.programsWith(
            "org.mockito.Mockito",
            "org.objenesis.Objenesis",
            "net.bytebuddy.ByteBuddy",
            "org.springframework.aop.framework.ProxyFactory",
            "org.springframework.beans.BeanUtils",
            "org.springframework.core.SpringVersion",
            "org.apache.commons.logging.Log");
    assertSame(
        jdk,
        """
        interfaces []
        field saved
        methods [count, save]
        saved 1 1
        proxy true
        proxy false
        mocked 0 0
        mock true
        mock false
        real 1
        real true
        real false
        """,
        Forked.QUICK,
        "-Dnet.bytebuddy.experimental=true",
        "-cp",
        classPath,
        Looks.class.getName());
  }

  @ParameterizedTest
  @EitherJdk
  void whereTheObjectDecidesHotSpotStillCompiles(Jdk jdk) throws Exception {
    Forked run =
        Forked.java(
            jdk,
            folder,
            "-Xcomp",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=compileonly,whatif.Untyped*::*",
            "-XX:+PrintCompilation",
            REWRITTEN,
            "-cp",
            AgentJar.PROGRAMS.toString(),
            Untyped.class.getName());
    assertTrue(run.out().contains("whatif.Untyped::"), run.out());
    // "unbalanced monitors" of one compiler, "invalid parsing" of the other; others may retry.
    List<String> refused =
        run.out()
            .lines()
            .filter(line -> line.contains("unbalanced") || line.contains("invalid parsing"))
            .toList();
    assertEquals(List.of(), refused);
  }
}
