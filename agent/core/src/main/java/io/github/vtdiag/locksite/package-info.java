/**
 * The monitor regions in class bytes. {@link io.github.vtdiag.locksite.LockMaps} reads a class, and
 * {@code MethodCode} is one method's instructions with their bcis and lines. {@code MonitorFlow}
 * follows the monitors through them, and {@code LockExpressions} names what is locked. ASM is used
 * inside; no ASM type is in a public signature.
 */
package io.github.vtdiag.locksite;
