package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import java.util.Set;

/**
 * An object that a call is made on, or that it hands over, as far as it is known. Names are with
 * slashes.
 */
public sealed interface Receiver {

  /** An instance of exactly this class. */
  record Exactly(String type) implements Receiver {}

  /** A lambda or a method reference, by the method that it runs. */
  record Lambda(MethodName body) implements Receiver {}

  /** An instance of some class of the JDK that is, extends or implements this. */
  record OfJdk(String type) implements Receiver {}

  /** An instance of the class or interface, or of any subtype: nothing else is known. */
  record AtMost(String type) implements Receiver {}

  /** Returns whether these are streams on memory or files. No monitor makes their waits worse. */
  static boolean areQuiet(Set<Receiver> receivers) {
    return JdkCreations.isQuiet(receivers);
  }
}
