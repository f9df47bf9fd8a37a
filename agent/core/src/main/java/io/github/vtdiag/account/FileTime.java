package io.github.vtdiag.account;

/**
 * The time in file I/O, of what the looks saw in native code or running Java code.
 *
 * @param nanos all of it
 * @param ofNative what of it the looks saw in native code
 * @param ofJava what looked as if it ran Java code
 * @param byEvents whether events tell it, rather than samples
 * @param errorNanos how far off it can be
 * @param codeErrorNanos how far off {@code ofNative} can be
 * @param isSampled whether there were samples of native code
 */
record FileTime(
    double nanos,
    double ofNative,
    double ofJava,
    boolean byEvents,
    double errorNanos,
    double codeErrorNanos,
    boolean isSampled) {

  /**
   * Puts together what events, looks and samples tell.
   *
   * @param told by events, which leave out what is short
   * @param inNative what the looks saw in native code
   * @param java what they saw running, and not in native code
   * @param fileSamples the samples in file I/O
   * @param nativeSamples those in other native code
   */
  static FileTime of(
      double told,
      double inNative,
      double java,
      long fileSamples,
      long nativeSamples,
      Shares shares) {
    long samples = fileSamples + nativeSamples;
    if (samples == 0) {
      double ofNative = Math.min(told, inNative);
      return new FileTime(told, ofNative, Math.min(told - ofNative, java), told > 0, 0, 0, false);
    }
    double divided = inNative * fileSamples / samples;
    double error =
        Shares.TWICE
            * inNative
            * Math.sqrt((fileSamples + 1.0) * (nativeSamples + 1.0))
            / Math.pow(samples + 2.0, 1.5);
    boolean byEvents = told > 0 && told >= divided - error;
    double nanos = byEvents ? told : divided;
    // Not all of what an event calls file I/O is native code: the JDK may wake another carrier
    // first. So samples tell how much of it was, and the rest looked as if it ran Java code.
    double ofNative =
        Math.min(inNative, Math.clamp(nanos, Math.max(0, divided - error), divided + error));
    double errorNanos = byEvents ? 0 : shares.error(nanos) + error;
    return new FileTime(
        nanos,
        ofNative,
        Math.min(nanos - ofNative, java),
        byEvents,
        errorNanos,
        ofNative == nanos ? errorNanos : error,
        true);
  }
}
