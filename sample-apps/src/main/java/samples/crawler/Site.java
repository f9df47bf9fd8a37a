package samples.crawler;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The crawler's data for a site, and so the way in which it fetches a page there. */
interface Site {
  Page fetch(String url, String path) throws IOException;

  /** No data, as in the article: all pages of a site can be fetched at the same time. */
  final class Free implements Site {
    @Override
    public Page fetch(String url, String path) throws IOException {
      return Get.page(url, path);
    }
  }

  /**
   * Polite: one page of a site at a time, and a list of the visited ones. A monitor is the natural
   * way to write that, and on Java 21 a thread that waits for an answer inside it pins its carrier.
   */
  final class Monitored implements Site {
    private final Set<String> visited = new HashSet<>();

    @Override
    public synchronized Page fetch(String url, String path) throws IOException {
      Page page = Get.page(url, path);
      visited.add(path);
      return page;
    }
  }

  /** As polite, with a lock in place of the monitor: a waiting thread unmounts from its carrier. */
  final class Locked implements Site {
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> visited = new HashSet<>();

    @Override
    public Page fetch(String url, String path) throws IOException {
      lock.lock();
      try {
        Page page = Get.page(url, path);
        visited.add(path);
        return page;
      } finally {
        lock.unlock();
      }
    }
  }
}
