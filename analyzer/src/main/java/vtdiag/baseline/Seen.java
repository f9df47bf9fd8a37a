package vtdiag.baseline;

import vtdiag.analysis.Cost;
import vtdiag.analysis.Identity;

/**
 * A pin finding of a run, with its figures.
 *
 * @param title the method to look at, for people
 */
public record Seen(Identity identity, String title, Cost cost) {}
