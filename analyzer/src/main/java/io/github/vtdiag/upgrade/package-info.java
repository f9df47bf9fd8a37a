/**
 * Is another version of a library free of the monitors on recorded stacks? {@link
 * io.github.vtdiag.upgrade.Oracle} asks its bytecode, {@link
 * io.github.vtdiag.upgrade.UpgradeSearch} asks few of all versions. Nothing here reads a file: who
 * asks hands in the classes.
 */
package io.github.vtdiag.upgrade;
