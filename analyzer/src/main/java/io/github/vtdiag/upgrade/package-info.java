/**
 * The check whether another version of a library is free of the monitors on recorded stacks. {@link
 * io.github.vtdiag.upgrade.Oracle} asks its bytecode; {@link
 * io.github.vtdiag.upgrade.UpgradeSearch} reads only a few of all versions. Nothing here reads a
 * file: the caller provides the classes.
 */
package io.github.vtdiag.upgrade;
