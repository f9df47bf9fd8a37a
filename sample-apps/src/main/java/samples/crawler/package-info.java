/**
 * A crawler as articles on virtual threads have it: tasks that fetch pages with {@code
 * URL.openStream}, on a virtual thread each or on a small pool, from a server in another process.
 */
package samples.crawler;
