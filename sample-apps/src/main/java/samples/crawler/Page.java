package samples.crawler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of one of the sites that the server stands for, with its links to pages of all of them.
 *
 * @param name its path
 * @param links the paths it links to
 */
record Page(String name, List<String> links) {
  static final int LINKS = 100;
  static final int SITES = 200;

  /** The number of pages of all sites together. */
  static final int PAGES = SITES * 100;

  private static final String TITLE = "<title>";
  private static final String LINK = "<a href=\"";

  /** Returns the path of a page; any number will do. */
  static String path(int number) {
    int page = Math.floorMod(number, PAGES);
    return "/" + page % SITES + "/" + page / SITES;
  }

  /** Returns the number of the page with this path, or -1 if there is none. */
  static int number(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length != 3 || !parts[0].isEmpty()) {
      return -1;
    }
    try {
      int site = Integer.parseInt(parts[1]);
      int page = Integer.parseInt(parts[2]);
      boolean exists = site >= 0 && site < SITES && page >= 0 && page < PAGES / SITES;
      return exists ? page * SITES + site : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static byte[] html(int number) {
    StringBuilder html = new StringBuilder(6_000);
    html.append("<!DOCTYPE html>\n<html><head><title>").append(path(number));
    html.append("</title></head><body>\n");
    for (int i = 0; i < LINKS; i++) {
      // An odd factor, prime to the number of pages: 100 different ones, spread over all sites.
      int target = number * 31 + 1 + i * 7_919;
      html.append(LINK).append(path(target)).append("\">Page ").append(i).append("</a>\n");
    }
    return html.append("</body></html>\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  static Page parse(byte[] bytes) {
    String html = new String(bytes, StandardCharsets.UTF_8);
    int title = html.indexOf(TITLE) + TITLE.length();
    List<String> links = new ArrayList<>(LINKS);
    for (int at = html.indexOf(LINK); at >= 0; at = html.indexOf(LINK, at + 1)) {
      int start = at + LINK.length();
      links.add(html.substring(start, html.indexOf('"', start)));
    }
    return new Page(html.substring(title, html.indexOf('<', title)), links);
  }
}
