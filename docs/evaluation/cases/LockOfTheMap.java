/// story: A method does slow work for each entry of a synchronized map, inside the map's own monitor.
/// java: 21
/// kind: pin
/// holder: LockOfTheMap$Sessions.expire
/// truth: bytecode: monitorenter in expire
/// advice: java | pattern copy
/// proof: run on Java 25
/// proof: run Fixed
/// proof: the Javadoc of Collections.synchronizedMap: its methods lock the map itself, so a lock of the caller's keeps nobody out
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class LockOfTheMap {
  static class Sessions {
    private final Map<String, String> all = Collections.synchronizedMap(new HashMap<>());

    void add(String id) {
      all.put(id, "open");
    }

    void expire() throws Exception {
      synchronized (all) {
        for (String id : all.keySet()) {
          Thread.sleep(40);
        }
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(
        () -> {
          Sessions sessions = new Sessions();
          sessions.add("one");
          sessions.expire();
        });
  }

  static class Fixed {
    private final Map<String, String> all = Collections.synchronizedMap(new HashMap<>());

    void expire() throws Exception {
      List<String> ids;
      synchronized (all) {
        ids = List.copyOf(all.keySet());
      }
      for (String id : ids) {
        Thread.sleep(40);
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(
          () -> {
            Fixed sessions = new Fixed();
            sessions.all.put("one", "open");
            sessions.expire();
          });
    }
  }
}
