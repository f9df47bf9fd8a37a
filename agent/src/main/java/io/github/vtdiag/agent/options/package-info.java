/** What the user asks the agent for: values read from the options, and nothing that acts. */
package io.github.vtdiag.agent.options;
