/**
 * The experiments that articles on virtual threads made known: {@link vtdiag.experiment.Bench} runs
 * their programs, each {@link vtdiag.experiment.Experiment} says which and what came out. It prints
 * nothing.
 */
package vtdiag.experiment;
