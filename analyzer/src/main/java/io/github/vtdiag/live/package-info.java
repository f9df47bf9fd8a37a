/**
 * Samples a running JVM: its carriers by the answers of {@code jcmd}, and the use of their time by
 * a recording that is read while it grows.
 */
package io.github.vtdiag.live;
