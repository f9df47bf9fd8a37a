/** A program that says which parts of its carriers' time it spent on what. */
package samples.knownshares;
