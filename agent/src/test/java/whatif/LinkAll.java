package whatif;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
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
    int methods = 0;
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
          for (Method method : type.getDeclaredMethods()) {
            methods += Modifier.isSynchronized(method.getModifiers()) ? 1 : 0;
          }
          linked++;
        } catch (ClassNotFoundException | LinkageError e) {
          // Which of several missing classes the message names is chance.
          System.out.println(name + ": " + e.getClass().getName());
        }
      }
    }
    System.out.println(new File(path).getName() + ": " + linked + " linked");
    System.err.println("synchronized methods: " + methods);
  }
}
