/**
 * From class bytes to monitor regions: {@link vtdiag.locksite.LockMaps} reads a class, {@code
 * MethodCode} is one method's instructions with their bcis and lines, {@code MonitorFlow} follows
 * the monitors through them, and {@code LockExpressions} names what is locked. ASM inside, no ASM
 * type in a public signature.
 */
package vtdiag.locksite;
