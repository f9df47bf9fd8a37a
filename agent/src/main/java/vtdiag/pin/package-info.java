/**
 * From JFR events to pin episodes, and from episodes to their causes. {@link vtdiag.pin.Events} is
 * the one place that names JFR events and fields; {@link vtdiag.pin.Attributor} is a pure function.
 */
package vtdiag.pin;
