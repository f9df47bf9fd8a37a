/**
 * The echo experiment: {@link samples.echo.EchoServer} has a virtual thread per connection, {@link
 * samples.echo.EchoCrowd} opens many of them and keeps them open, {@link samples.echo.SlowReader}
 * is the client that reads slowly.
 */
package samples.echo;
