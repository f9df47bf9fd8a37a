/** A program that knows which parts of its carriers' time it spent on what. */
package samples.knownshares;
