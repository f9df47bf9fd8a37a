/**
 * A running JVM, looked at again and again: its carriers by what {@code jcmd} answers, and where
 * their time goes by a recording that is read while it grows.
 */
package io.github.vtdiag.live;
