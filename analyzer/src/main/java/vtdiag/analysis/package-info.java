/** Pin episodes grouped by what caused them, with what they cost and what is not known. Pure. */
package vtdiag.analysis;
