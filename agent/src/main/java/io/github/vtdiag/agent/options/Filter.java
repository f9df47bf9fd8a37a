package io.github.vtdiag.agent.options;

import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import java.util.List;

/** The pins that the user wants reported: the options {@code include} and {@code exclude}. */
public record Filter(List<String> include, List<String> exclude) {

  public boolean accepts(PinEpisode episode, Attribution attribution) {
    return (include.isEmpty()
            || episode.stack().frames().stream().anyMatch(frame -> matches(include, frame)))
        && !isExcluded(attribution.primary());
  }

  private boolean isExcluded(PinCause cause) {
    return cause instanceof PinCause.HeldMonitor held && matches(exclude, held.frame());
  }

  private static boolean matches(List<String> prefixes, Frame frame) {
    return prefixes.stream().anyMatch(frame.type().name()::startsWith);
  }
}
