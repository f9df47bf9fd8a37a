package io.github.vtdiag.account;

/**
 * The time in file I/O, within what the watch saw in native code or running Java code.
 *
 * @param nanos all of it
 * @param ofNative the part that the watch saw in native code
 * @param ofJava the part that appeared to run Java code
 * @param byEvents whether it comes from events, rather than samples
 * @param errorNanos the error of {@code nanos}
 * @param codeErrorNanos the error of {@code ofNative}
 * @param isSampled whether there were JFR samples of native code
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
   * Combines events, the watch's samples and JFR's samples.
   *
   * @param told the time according to events, which leave out what is short
   * @param inNative the time that the watch saw in native code
   * @param java the time that it saw running, and not in native code
   * @param fileSamples JFR's samples in file I/O
   * @param nativeSamples JFR's samples in other native code
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
    // An event's file I/O is not all native code: the JDK may wake another carrier first. Samples
    // give the native part of it; the rest appeared to run Java code.
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
