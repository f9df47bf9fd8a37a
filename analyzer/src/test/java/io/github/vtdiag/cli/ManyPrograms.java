package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the class {@code Main} of many class paths, one after the other in one JVM, each in a class
 * loader of its own: what they print, and how they end, goes into a file for each.
 */
public final class ManyPrograms {
  private static final long PATIENCE_SECONDS = 60;

  private ManyPrograms() {}

  /**
   * Runs them.
   *
   * @param args a file whose lines are the file for the answer and the class path of one program
   *     each, with tabs between
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      List<String> columns = List.of(line.split("\t", -1));
      Files.writeString(
          Path.of(columns.getFirst()), answer(columns.subList(1, columns.size())), UTF_8);
      System.setOut(out);
    }
    // What a program that did not end has left running.
    System.exit(0);
  }

  private static String answer(List<String> classPath) throws InterruptedException, IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    List<URL> urls = new ArrayList<>();
    for (String each : classPath) {
      urls.add(url(each));
    }
    String[] ended = {"did not end"};
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Thread running = Thread.ofPlatform().daemon().unstarted(() -> ended[0] = run(loader));
      running.setContextClassLoader(loader);
      running.start();
      running.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    }
    return printed.toString(UTF_8) + ended[0];
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String run(ClassLoader loader) {
    try {
      Method main = loader.loadClass("Main").getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[0]);
      return "ended";
    } catch (InvocationTargetException e) {
      return "threw " + e.getCause();
    } catch (ReflectiveOperationException | LinkageError e) {
      return "did not start: " + e;
    }
  }
}
