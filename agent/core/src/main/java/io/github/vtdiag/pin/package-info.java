/**
 * The pins in JFR events, and their causes. {@link io.github.vtdiag.pin.Events} is the one place
 * that names JFR events and fields. {@link io.github.vtdiag.pin.Attributor} is a pure function.
 */
package io.github.vtdiag.pin;
