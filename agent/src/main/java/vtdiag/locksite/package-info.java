/** From class bytes to monitor regions. ASM inside, no ASM type in a signature. */
package vtdiag.locksite;
