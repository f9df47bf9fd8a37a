package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import java.util.Set;

/** What is known of an object that a call is made on, or that it hands over. Names with slashes. */
public sealed interface Receiver {

  /** An instance of exactly this class. */
  record Exactly(String type) implements Receiver {}

  /** A lambda or a method reference, by the method that it runs. */
  record Lambda(MethodName body) implements Receiver {}

  /** An instance of some class of the JDK that is, extends or implements this. */
  record OfJdk(String type) implements Receiver {}

  /** An instance of the class or interface, or of any below it: nothing else is known. */
  record AtMost(String type) implements Receiver {}

  /** Whether these are streams that work in memory, or on files, which no monitor makes worse. */
  static boolean areQuiet(Set<Receiver> receivers) {
    return JdkCreations.isQuiet(receivers);
  }
}
