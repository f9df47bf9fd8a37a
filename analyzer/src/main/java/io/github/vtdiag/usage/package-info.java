/** What virtual threads are used for that they are not made for, and what that costs. */
package io.github.vtdiag.usage;
