package io.github.vtdiag.cli;

import io.github.vtdiag.report.Style;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapperSupplier;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code vtdiag mcp}. */
@Command(
    name = "mcp",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    description =
        "Serves assistants (Model Context Protocol, on standard input and output). Its tools"
            + " analyze, advise, diff, hang and scan read the named files or JVM, and answer in"
            + " JSON. It writes no file, opens no connection, and ends when standard input ends.",
    footer = {
      "",
      "Example, in an assistant's list of servers:",
      "  {\"mcpServers\": {\"vtdiag\": {\"command\": \"vtdiag\", \"args\": [\"mcp\"]}}}"
    })
final class McpCommand implements Callable<Integer> {
  /** The timeout of a command: a recording of some GB takes minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final Console console;
  private final McpJsonMapper json = new JacksonMcpJsonMapperSupplier().get();

  McpCommand(Console console) {
    this.console = console;
  }

  /**
   * Accepts everything: each tool checks its arguments itself, and says what is wrong in a
   * sentence.
   */
  static final class Unchecked implements JsonSchemaValidator {
    @Override
    public ValidationResponse validate(Map<String, Object> schema, Object content) {
      return ValidationResponse.asValid(null);
    }

    @Override
    public ValidationResponse validateSchema(Map<String, Object> schema) {
      return ValidationResponse.asValid(null);
    }
  }

  @Override
  public Integer call() {
    McpRequests requests = new McpRequests(System.in, json, console);
    McpServer.SyncSpecification<?> specification =
        McpServer.sync(new StdioServerTransportProvider(json, requests, console.out()))
            .serverInfo("vtdiag", ProductVersion.own().orElse("unknown"))
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .jsonMapper(json)
            .jsonSchemaValidator(new Unchecked())
            .requestTimeout(PATIENCE);
    for (McpTool each : McpTool.ALL) {
      Tool tool =
          Tool.builder(each.name(), each.schema())
              .description(each.description())
              .annotations(
                  ToolAnnotations.builder()
                      .readOnlyHint(true)
                      .destructiveHint(false)
                      .openWorldHint(false)
                      .build())
              .build();
      specification.toolCall(tool, (exchange, request) -> answer(each, request.arguments()));
    }
    McpSyncServer server = specification.build();
    try {
      requests.awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.closeGracefully();
    return Exit.OK;
  }

  private CallToolResult answer(McpTool tool, Map<String, Object> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      Console answers =
          new Console(
              new PrintStream(out, false, StandardCharsets.UTF_8),
              new PrintStream(err, false, StandardCharsets.UTF_8),
              new Style(false, 0));
      String[] line =
          tool.commandLine(arguments == null ? Map.of() : arguments).toArray(String[]::new);
      Main.run(answers, line);
      answers.out().flush();
      answers.err().flush();
    } catch (IllegalArgumentException e) {
      return CallToolResult.builder().isError(true).addTextContent(e.getMessage()).build();
    }
    String answer = out.toString(StandardCharsets.UTF_8);
    String notes = err.toString(StandardCharsets.UTF_8).strip();
    if (answer.isBlank()) {
      return CallToolResult.builder().isError(true).addTextContent(notes).build();
    }
    CallToolResult.Builder result =
        CallToolResult.builder().structuredContent(json, answer).addTextContent(answer);
    return notes.isEmpty() ? result.build() : result.addTextContent(notes).build();
  }
}
