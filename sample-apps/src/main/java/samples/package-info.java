/** What the stories share: the load that every one of them runs, and a slow service to wait for. */
package samples;
