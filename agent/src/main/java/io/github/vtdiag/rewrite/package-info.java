/**
 * The what-if: class bytes whose monitors become calls of {@code io.github.vtdiag.boot.Monitors}.
 * It decides which classes to rewrite and which of their monitors must stay, and generates the
 * bytes with ASM. It does not depend on the running agent.
 */
package io.github.vtdiag.rewrite;
