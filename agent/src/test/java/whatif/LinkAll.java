package whatif;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Links every class of the class path's jars, and prints those of which that fails. */
public final class LinkAll {
  private LinkAll() {}

  public static void main(String[] args) throws IOException {
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (path.endsWith(".jar")) {
        link(path);
      }
    }
  }

  private static void link(String path) throws IOException {
    int linked = 0;
    int carriers = 0;
    List<String> files;
    try (JarFile jar = new JarFile(path)) {
      files = jar.stream().map(JarEntry::getName).sorted().toList();
    }
    for (String file : files) {
      if (file.endsWith(".class")
          && !file.startsWith("META-INF/")
          && !file.endsWith("-info.class")) {
        String name = file.substring(0, file.length() - 6).replace('/', '.');
        try {
          // Asking for the methods links, and so verifies; it does not initialize.
          Class<?> type = Class.forName(name, false, LinkAll.class.getClassLoader());
          Objects.requireNonNull(type.getDeclaredMethods());
          linked++;
          for (Class<?> implemented : type.getInterfaces()) {
            carriers += implemented.getName().equals("vtdiag.boot.Monitored") ? 1 : 0;
          }
        } catch (ClassNotFoundException | LinkageError e) {
          // Which of several missing classes the message names is chance.
          System.out.println(name + ": " + e.getClass().getName());
        }
      }
    }
    System.out.println(new File(path).getName() + ": " + linked + " linked");
    System.err.println("carry a lock: " + carriers);
  }
}
