/**
 * A crawler as in articles on virtual threads: tasks that fetch pages with {@code URL.openStream},
 * on a virtual thread each or on a small pool, from a server in another process.
 */
package samples.crawler;
