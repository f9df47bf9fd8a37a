/** The owner of each class: from which jar it comes, which library that is, and whose code. */
package io.github.vtdiag.owner;
