/** What recordings tell: pins, and the facts beside them. */
package vtdiag.recording;
