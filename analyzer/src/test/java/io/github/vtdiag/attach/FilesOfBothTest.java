package io.github.vtdiag.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesOfBothTest {
  private static final int AT_ONCE = 8;

  @TempDir Path folder;
  private Path agent;
  private Path tmp;

  @BeforeEach
  void aFileAndAFolder() throws IOException {
    agent = Files.write(folder.resolve("agent.jar"), new byte[1 << 20]);
    tmp = Files.createDirectory(folder.resolve("tmp"));
  }

  @Test
  void severalCopyAtOnce() throws Exception {
    CyclicBarrier start = new CyclicBarrier(AT_ONCE);
    Callable<Path> copy =
        () -> {
          start.await();
          return FilesOfBoth.copied(agent, tmp.resolve("copy.jar"));
        };
    List<Future<Path>> copies = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < AT_ONCE; i++) {
        copies.add(threads.submit(copy));
      }
    }
    for (Future<Path> each : copies) {
      assertEquals(tmp.resolve("copy.jar"), each.get());
    }
    assertCopied(tmp.resolve("copy.jar"));
    try (Stream<Path> files = Files.list(tmp)) {
      assertEquals(List.of(tmp.resolve("copy.jar")), files.toList());
    }
  }

  @Test
  void theSameFileIsUsedAgain() throws IOException {
    Path copy = FilesOfBoth.copied(agent, tmp.resolve("copy.jar"));
    Object inode = Files.getAttribute(copy, "unix:ino");

    assertEquals(copy, FilesOfBoth.copied(agent, copy));
    assertEquals(inode, Files.getAttribute(copy, "unix:ino"));
    assertEquals(PosixFilePermissions.fromString("rw-r--r--"), Files.getPosixFilePermissions(copy));
  }

  @Test
  void anotherFileOfItsSizeIsReplaced() throws IOException {
    byte[] other = new byte[1 << 20];
    other[other.length - 1] = 1;
    Path there = Files.write(tmp.resolve("copy.jar"), other);

    assertEquals(there, FilesOfBoth.copied(agent, there));
    assertCopied(there);
  }

  @Test
  void aLinkIsReplacedNotFollowed() throws IOException {
    Path target = Files.copy(agent, folder.resolve("target"), StandardCopyOption.COPY_ATTRIBUTES);
    Path link = Files.createSymbolicLink(tmp.resolve("copy.jar"), target);

    assertEquals(link, FilesOfBoth.copied(agent, link));
    assertFalse(Files.isSymbolicLink(link));
    assertCopied(link);
  }

  @Test
  void whatCannotBeReplacedGetsAnotherName() throws IOException {
    Path taken = Files.createDirectories(tmp.resolve("copy.jar/full"));

    Path copy = FilesOfBoth.copied(agent, taken.getParent());

    assertEquals(tmp, copy.getParent());
    assertNotEquals(taken.getParent(), copy);
    assertCopied(copy);
  }

  private void assertCopied(Path copy) throws IOException {
    assertEquals(-1, Files.mismatch(agent, copy));
  }
}
