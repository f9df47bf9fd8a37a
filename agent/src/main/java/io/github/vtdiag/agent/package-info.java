/**
 * What runs inside the observed JVM: the guards before it starts, the recording, the early
 * warnings, the lock maps, and the summary at exit. Nothing here may take the application down,
 * change what it prints to standard output or its exit code, or keep it alive.
 */
package io.github.vtdiag.agent;
