package samples.crawler;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** Reads a whole answer with {@code URL.openStream}. */
final class Get {
  static byte[] bytes(String url) throws IOException {
    try (InputStream in = URI.create(url).toURL().openStream()) {
      return in.readAllBytes();
    }
  }

  /** Gets a page, and refuses one that is not the requested one with all its links. */
  static Page page(String url, String path) throws IOException {
    Page page = Page.parse(bytes(url));
    if (!page.name().equals(path)) {
      throw new IOException("asked for " + path + " and got " + page.name());
    }
    long different = page.links().stream().distinct().count();
    if (different != Page.LINKS) {
      throw new IOException(path + " has " + different + " links, not " + Page.LINKS);
    }
    return page;
  }

  private Get() {}
}
