package io.github.vtdiag.agent.programs;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/** Does what each line on standard input says, and then says so, while its metrics are read. */
public final class Metered {
  /** Two that the format has to escape, one that is not of this alphabet, one that is no text. */
  public static final String HOSTILE = "Q\"B\\U\u00fc\u001b";

  /** Its class file is the model for as many classes as are asked for. */
  private static final String MODEL = "Model000";

  private static final String TYPE = Metered.class.getName().replace('.', '/') + "$";

  /** Long enough that a busy machine does not make a pin of less than the threshold of it. */
  public static volatile long millis = 50;

  private Metered() {}

  /** A class whose initializer keeps the carrier, on every Java. */
  @SuppressWarnings({"UnusedNestedClass", "UnusedVariable"}) // Its copies are.
  private static final class Model000 {
    static final long AT;

    static {
      Pins.pause(millis);
      AT = System.nanoTime();
    }
  }

  /** Defines copies of the model under other names, and has their class files. */
  private static final class Copies extends ClassLoader {
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] classFile = classFile(name.substring(name.indexOf('$') + 1));
      return defineClass(name, classFile, 0, classFile.length);
    }

    @Override
    public InputStream getResourceAsStream(String file) {
      int dollar = file.indexOf('$');
      return dollar < 0
          ? super.getResourceAsStream(file)
          : new ByteArrayInputStream(
              classFile(file.substring(dollar + 1, file.length() - ".class".length())));
    }

    private byte[] classFile(String name) {
      try (InputStream model = super.getResourceAsStream(TYPE + MODEL + ".class")) {
        return rename(model.readAllBytes(), name);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The names stand in the class file with their lengths, and those need not be the same. */
  private static byte[] rename(byte[] classFile, String name) {
    return new String(classFile, StandardCharsets.ISO_8859_1)
        .replace(constant(TYPE + MODEL), constant(TYPE + name))
        .replace(constant(MODEL), constant(name))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** As the constant pool has it: in modified UTF-8, and its length before it. */
  private static String constant(String name) {
    StringBuilder utf8 = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < 0x80) {
        utf8.append(c);
      } else if (c < 0x800) {
        utf8.append((char) (0xc0 | (c >> 6))).append((char) (0x80 | (c & 0x3f)));
      } else {
        utf8.append((char) (0xe0 | (c >> 12)))
            .append((char) (0x80 | ((c >> 6) & 0x3f)))
            .append((char) (0x80 | (c & 0x3f)));
      }
    }
    return "" + (char) (utf8.length() >> 8) + (char) (utf8.length() & 0xff) + utf8;
  }

  private static void pin(String name) throws InterruptedException {
    Thread.startVirtualThread(
            () -> {
              try {
                Class.forName(Metered.class.getName() + "$" + name, true, new Copies());
              } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
              }
            })
        .join();
  }

  private static void tellThreads() {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("vtdiag metrics"))
        .sorted(Comparator.comparing(Thread::getName))
        .forEach(
            thread ->
                System.out.println(
                    thread.getName()
                        + " daemon="
                        + thread.isDaemon()
                        + " loader="
                        + thread.getContextClassLoader()));
  }

  /** Apart, because there may be no JMX. */
  private static final class Bean {
    static void tell() throws IOException {
      try {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("vtdiag:type=VirtualThreads");
        while (!server.isRegistered(name)) {
          Thread.onSpinWait();
        }
        String[] names =
            Arrays.stream(server.getMBeanInfo(name).getAttributes())
                .map(each -> each.getName())
                .toArray(String[]::new);
        for (Attribute attribute : server.getAttributes(name, names).asList()) {
          System.out.println("jmx " + attribute.getName() + "=" + text(attribute.getValue()));
        }
      } catch (JMException e) {
        throw new IOException(e);
      }
    }

    private static String text(Object value) {
      return switch (value) {
        case CompositeData[] many -> Arrays.stream(many).map(Bean::text).toList().toString();
        case CompositeData one ->
            one.getCompositeType().keySet().stream()
                .map(key -> key + ":" + one.get(key))
                .toList()
                .toString();
        case TabularData table -> table.values().stream().map(Bean::text).toList().toString();
        case Map<?, ?> map -> map.toString();
        case null -> "null";
        default -> value.toString();
      };
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "pin" -> {
          for (int i = 0; i < Integer.parseInt(words[1]); i++) {
            pin("Copy%04d".formatted(i));
          }
        }
        case "shorten" -> millis = 5;
        case "named" -> pin(words[1]);
        case "hostile" -> pin(HOSTILE);
        case "threads" -> tellThreads();
        case "jmx" -> Bean.tell();
        default -> throw new IllegalArgumentException(line);
      }
      System.out.println("did " + words[0]);
    }
  }
}
