/** The parts that the samples share: the load that each runs, and a slow service to wait for. */
package samples;
