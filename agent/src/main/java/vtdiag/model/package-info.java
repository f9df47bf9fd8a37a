/**
 * What every stage of vtdiag speaks of: recorded frames, pin episodes, monitor regions, and what a
 * pin was put down to. Immutable records that depend on {@code java.base} only.
 */
package vtdiag.model;
