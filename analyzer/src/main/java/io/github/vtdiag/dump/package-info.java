/**
 * Thread dumps as the JDK's tools write them, and what several of them say together: {@code
 * Thread.dump_to_file -format=json} has the virtual threads, {@code Thread.print} has what keeps
 * their carriers. A heap dump has what threads wait for, and who can reach it.
 */
package io.github.vtdiag.dump;
