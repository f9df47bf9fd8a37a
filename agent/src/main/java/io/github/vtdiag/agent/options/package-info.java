/** The agent's options as the user sets them: values that are read, and nothing that acts. */
package io.github.vtdiag.agent.options;
