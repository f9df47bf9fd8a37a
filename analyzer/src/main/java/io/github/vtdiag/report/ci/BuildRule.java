package io.github.vtdiag.report.ci;

/**
 * A sort of remark.
 *
 * @param id as build servers show it: {@code pinned-native-frame}
 * @param summary what it is, in a few words
 * @param text what it is, in sentences
 * @param help what to do about it, in Markdown that is plain text too
 */
record BuildRule(String id, String summary, String text, String help) {

  /** The same as one word, as tools that list rules have it: {@code PinnedNativeFrame}. */
  String name() {
    StringBuilder name = new StringBuilder();
    for (String word : id.split("-", -1)) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return name.toString();
  }
}
