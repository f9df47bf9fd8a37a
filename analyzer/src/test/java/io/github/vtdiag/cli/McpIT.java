package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.testing.CommandLine;
import io.github.vtdiag.testing.Jdk;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vtdiag mcp} of the built jar, asked by the protocol's own client. */
final class McpIT {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String RECORDING =
      Path.of("src", "test", "resources", "promised", "1.0.0-rc1", "app.jfr.gz")
          .toAbsolutePath()
          .toString();

  private final McpJsonMapper json = new JacksonMcpJsonMapper(JsonMapper.builder().build());

  @TempDir private Path folder;

  private McpSyncClient client() {
    List<String> command = CommandLine.start(Jdk.JAVA_25);
    ServerParameters server =
        ServerParameters.builder(command.getFirst())
            .args(
                Stream.concat(command.subList(1, command.size()).stream(), Stream.of("mcp"))
                    .toList())
            .build();
    return McpClient.sync(new StdioClientTransport(server, json))
        .requestTimeout(Duration.ofMinutes(5))
        .jsonSchemaValidator(new McpCommand.Unchecked())
        .build();
  }

  private static CallToolResult call(
      McpSyncClient client, String tool, Map<String, Object> arguments) {
    return client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().getFirst()).text();
  }

  private void assertConforms(String schema, CallToolResult result) throws Exception {
    assertNotEquals(true, result.isError(), () -> text(result));
    Validator.Result valid =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(
                Files.readString(DOCS.resolve(schema)),
                json.writeValueAsString(result.structuredContent()));
    assertTrue(valid.isValid(), () -> valid.getErrors().toString());
    assertEquals(
        json.readValue(text(result), Map.class), result.structuredContent(), "text and structure");
  }

  private static void assertRefused(String sentence, CallToolResult result) {
    assertTrue(text(result).contains(sentence), text(result));
    assertEquals(true, result.isError());
  }

  /** It goes on after what is no message, and ends when its standard input does. */
  @Test
  void whatIsNoMessageIsSkipped() throws Exception {
    String input =
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
        "capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
        this is no JSON

        []
        {}
        {"jsonrpc":"2.0","id":null,"method":5}
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        {"jsonrpc":"2.0","id":2,"method":"ping"}
        """;
    Files.writeString(folder.resolve("in"), input);
    List<String> command = new ArrayList<>(CommandLine.start(Jdk.JAVA_25));
    command.add("mcp");
    Path err = folder.resolve("err");
    Process server = new ProcessBuilder(command).redirectError(err.toFile()).start();
    try (BufferedReader out = server.inputReader(UTF_8)) {
      try (Writer in = server.outputWriter(UTF_8)) {
        in.write(input);
        in.flush();
        assertTrue(out.readLine().contains("\"id\":1,\"result\""));
        String pong = out.readLine();
        assertTrue(pong.contains("\"id\":2,\"result\""), pong);
      }
      assertNull(out.readLine());
    }
    assertEquals(0, server.waitFor(), Files.readString(err));
    assertTrue(Files.readString(err).contains("no JSON-RPC message; skipped"));
  }

  @Test
  void anAssistantAsksForWhatTheCommandsSay() throws Exception {
    Path jar = folder.resolve("app.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("Nothing.class"));
    }
    try (McpSyncClient client = client()) {
      assertEquals("vtdiag", client.initialize().serverInfo().name());
      List<Tool> tools = client.listTools().tools();
      assertEquals(
          List.of("analyze", "advise", "diff", "hang", "scan"),
          tools.stream().map(Tool::name).toList());
      assertTrue(tools.stream().allMatch(tool -> tool.annotations().readOnlyHint()));

      assertRefused("the argument 'recordings' is missing", call(client, "analyze", Map.of()));
      assertRefused(
          "there is no argument 'output'; use recordings, classpath",
          call(client, "analyze", Map.of("recordings", List.of(RECORDING), "output", "x")));
      assertRefused(
          "is a list of one or more texts",
          call(client, "analyze", Map.of("recordings", List.of(7))));
      for (String hostile : List.of("-", "-o", "@" + RECORDING, "--help", "nothing.jfr")) {
        assertRefused(
            "no such file", call(client, "analyze", Map.of("recordings", List.of(hostile))));
        assertRefused("does not exist", call(client, "hang", Map.of("target", List.of(hostile))));
      }

      assertThrows(McpError.class, () -> call(client, "gate", Map.of()));
      Path damaged = folder.resolve("cut\u001b[31m\n.jfr");
      Files.write(damaged, Arrays.copyOf("FLR\0\0\2\0\1".getBytes(US_ASCII), 500));
      CallToolResult cut =
          call(client, "analyze", Map.of("recordings", List.of(damaged.toString())));
      assertEquals(true, cut.isError());
      assertTrue(text(cut).startsWith("vtdiag: "), text(cut));
      assertFalse(text(cut).contains("internal error"), text(cut));
      assertFalse(text(cut).contains("\u001b"), text(cut));
      Files.delete(damaged);

      assertConforms(
          "findings.schema.json",
          call(client, "analyze", Map.of("recordings", List.of(RECORDING))));
      assertConforms(
          "findings.schema.json",
          call(
              client,
              "advise",
              Map.of("recordings", List.of(RECORDING), "classpath", List.of(jar.toString()))));
      assertConforms(
          "diff.schema.json", call(client, "diff", Map.of("runs", List.of(RECORDING, RECORDING))));
      assertConforms(
          "hang.schema.json",
          call(
              client,
              "hang",
              Map.of("target", List.of(Long.toString(ProcessHandle.current().pid())))));
    }
    try (var files = Files.list(folder)) {
      assertEquals(List.of(jar), files.toList());
    }
  }
}
