/**
 * One blocking endpoint on Spring Boot, as it is with platform threads, virtual threads and
 * WebFlux, and one in front of a database. Each program serves until its standard input ends, and
 * then tells what it used. They know nothing of the measuring programs.
 */
package samples.web;
