/** The one way from recordings, and the classes that ran, to findings. */
package io.github.vtdiag.pipeline;
