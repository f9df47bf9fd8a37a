/**
 * The experiments that articles on virtual threads made known: {@link
 * io.github.vtdiag.experiment.Bench} runs their programs, each {@link
 * io.github.vtdiag.experiment.Experiment} says which and what came out. It prints nothing.
 */
package io.github.vtdiag.experiment;
