/**
 * Experiments known from articles on virtual threads: {@link io.github.vtdiag.experiment.Bench}
 * runs their programs, each {@link io.github.vtdiag.experiment.Experiment} defines the programs and
 * reports the results. It prints nothing.
 */
package io.github.vtdiag.experiment;
