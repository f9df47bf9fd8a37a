package io.github.vtdiag.report.words;

import io.github.vtdiag.advice.OwnCallbacks;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.Frame;
import java.util.Optional;

/** Words on the application's code that a library calls while it holds its monitor. */
public final class CallbackWords {
  private CallbackWords() {}

  /** Returns a line about such code; empty if there is none. */
  public static Optional<Phrase> inside(Pin finding) {
    return OwnCallbacks.inside(finding).map(CallbackWords::runsInside);
  }

  private static Phrase runsInside(Frame frame) {
    return Phrase.of("your code runs inside this monitor: ")
        .and(Phrase.Tone.NAME, frame.qualifiedMethod())
        .and(frame.line() < 0 ? "" : " (" + Figures.position(frame.type(), frame.line()) + ")");
  }
}
