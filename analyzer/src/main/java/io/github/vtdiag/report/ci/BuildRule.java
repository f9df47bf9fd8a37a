package io.github.vtdiag.report.ci;

/**
 * A kind of remark.
 *
 * @param id the id that build servers show: {@code pinned-native-frame}
 * @param summary what it is, in a few words
 * @param text what it is, in sentences
 * @param help what to do about it, in Markdown that is plain text too
 */
record BuildRule(String id, String summary, String text, String help) {

  /** Returns the id as one word, for tools that list rules: {@code PinnedNativeFrame}. */
  String name() {
    StringBuilder name = new StringBuilder();
    for (String word : id.split("-", -1)) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return name.toString();
  }
}
