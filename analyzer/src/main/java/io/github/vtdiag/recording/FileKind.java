package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The kind of a file, judged by its first bytes. */
enum FileKind {
  RECORDING("a recording", "FLR\0"),
  GZIP("gzip", "\u001f\u008b"),
  ZIP("a zip archive", "PK\u0003\u0004"),
  XZ("xz", "\u00fd7zXZ"),
  ZSTD("zstd", "(\u00b5/\u00fd"),
  BZIP2("bzip2", "BZh"),
  CLASS("a Java class", "\u00ca\u00fe\u00ba\u00be"),
  HEAP_DUMP("a heap dump", "JAVA PROFILE"),
  ELF("a Linux program or core dump", "\u007fELF"),
  EMPTY("an empty file", ""),
  TEXT("text", ""),
  UNKNOWN("unknown binary data", "");

  private final String text;
  private final String magic;

  FileKind(String text, String magic) {
    this.text = text;
    this.magic = magic;
  }

  String text() {
    return text;
  }

  static FileKind of(byte[] head) {
    String start = new String(head, ISO_8859_1);
    for (FileKind kind : values()) {
      if (!kind.magic.isEmpty() && start.startsWith(kind.magic)) {
        return kind;
      }
    }
    if (start.isEmpty()) {
      return EMPTY;
    }
    return start.chars().allMatch(FileKind::isText) ? TEXT : UNKNOWN;
  }

  private static boolean isText(int c) {
    return (c >= ' ' && c != 0x7F) || c == '\n' || c == '\r' || c == '\t';
  }
}
