package io.github.vtdiag.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The signatures of methods, name and descriptor, as numbers. */
final class SignatureTable {
  private final List<String> texts = new ArrayList<>();

  /** The names without a class, by number, of the signatures that were asked for. */
  private MethodName[] split = {};

  private final Map<String, Integer> numbers = new HashMap<>();

  /** Returns the number of a signature, which gets one if it has none. */
  int number(String text) {
    Integer known = numbers.putIfAbsent(text, texts.size());
    if (known != null) {
      return known;
    }
    texts.add(text);
    return texts.size() - 1;
  }

  /** Returns the number of a signature; -1 if it has none. */
  int find(String text) {
    return numbers.getOrDefault(text, -1);
  }

  String get(int number) {
    return texts.get(number);
  }

  /** Returns the method of a class that has a signature. */
  MethodName name(String owner, int number) {
    if (number >= split.length) {
      split = Arrays.copyOf(split, Math.max(texts.size(), 2 * split.length));
    }
    if (split[number] == null) {
      String text = get(number);
      int at = text.indexOf('(');
      split[number] = new MethodName("", text.substring(0, at), text.substring(at));
    }
    return new MethodName(owner, split[number].name(), split[number].descriptor());
  }
}
