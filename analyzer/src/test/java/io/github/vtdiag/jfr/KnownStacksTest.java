package io.github.vtdiag.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class KnownStacksTest {
  private final KnownStacks stacks = new KnownStacks();
  private final byte[] bytes = {9, 1, 2, 3, 1, 2, 4, 1, 2, 3};

  @Test
  void findsNoOtherBytes() {
    assertEquals(KnownStacks.NONE, stacks.find(bytes, 1, 4));
    stacks.add(bytes, 1, 4, 17, 0b101);
    assertEquals(KnownStacks.NONE, stacks.find(bytes, 4, 7));
    assertEquals(KnownStacks.NONE, stacks.find(bytes, 1, 3));
    assertEquals(KnownStacks.NONE, stacks.find(bytes, 0, 4));
  }

  @Test
  void findsTheSameBytesElsewhere() {
    stacks.add(bytes, 1, 4, 17, 0b101);
    stacks.add(bytes, 4, 7, 18, 0b1);
    bytes[1] = 0; // its own copy counts
    int entry = stacks.find(bytes, 7, 10);
    assertEquals(17, stacks.number(entry));
    assertEquals(0b101, stacks.kinds(entry));
    assertEquals(18, stacks.number(stacks.find(bytes, 4, 7)));
  }

  @Test
  void forgetsAll() {
    stacks.add(bytes, 1, 4, 17, 0);
    stacks.clear();
    assertEquals(KnownStacks.NONE, stacks.find(bytes, 1, 4));
    stacks.add(bytes, 1, 4, 18, 0);
    assertEquals(18, stacks.number(stacks.find(bytes, 1, 4)));
  }

  @Test
  void keepsOnlySoMany() {
    byte[] large = new byte[5 << 20];
    stacks.add(large, 0, large.length, 1, 0);
    stacks.add(large, 0, large.length - 1, 2, 0);
    assertEquals(1, stacks.number(stacks.find(large, 0, large.length)));
    assertEquals(KnownStacks.NONE, stacks.find(large, 0, large.length - 1));
  }
}
