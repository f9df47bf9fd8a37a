/** The content of recordings: the pins, and the facts about the JVM and the recording itself. */
package io.github.vtdiag.recording;
