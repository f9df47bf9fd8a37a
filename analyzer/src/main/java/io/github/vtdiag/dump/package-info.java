/**
 * Thread dumps as the JDK's tools write them, and the conclusions from several of them: {@code
 * Thread.dump_to_file -format=json} has the virtual threads, {@code Thread.print} has what occupies
 * their carriers. A heap dump has what threads wait for, and who can reach it.
 */
package io.github.vtdiag.dump;
