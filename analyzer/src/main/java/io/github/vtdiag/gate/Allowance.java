package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

/**
 * Pins at one site that are allowed until a day.
 *
 * @param site a method, a class, all in a package as {@code com.example.*}, or an identity
 * @param reason why they are allowed
 * @param owner who is responsible for removing them
 * @param expires the last day on which it holds
 * @param origin where it is written
 */
public record Allowance(
    String site, String reason, String owner, LocalDate expires, String origin) {
  private static final String BELOW = ".*";

  boolean covers(Named named) {
    Identity identity = named.identity();
    if (site.equals(identity.text())
        || site.equals(identity.kin())
        || site.equals(identity.fingerprint())) {
      return true;
    }
    Set<String> names = Identities.names(named.finding());
    return site.endsWith(BELOW)
        ? names.stream().anyMatch(name -> name.startsWith(site.substring(0, site.length() - 1)))
        : names.contains(site);
  }

  /**
   * Returns whether it covers one of these names of a finding: a method, a class or an identity.
   */
  public boolean covers(List<String> names) {
    return site.endsWith(BELOW)
        ? names.stream().anyMatch(name -> name.startsWith(site.substring(0, site.length() - 1)))
        : names.contains(site);
  }

  public boolean hasExpired(LocalDate today) {
    return today.isAfter(expires);
  }
}
