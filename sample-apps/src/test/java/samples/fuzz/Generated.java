package samples.fuzz;

import java.util.Map;
import java.util.Set;

/**
 * A generated program. The classes of its lock number 2 are {@code D2} and others whose names begin
 * so.
 *
 * @param name its package
 * @param kept a bit for each of its locks: it is the seed's whole program, or a part of it
 * @param sources its files by their names
 * @param features by the number of a lock, what it is and what is done with it
 */
record Generated(
    String name,
    long seed,
    int kept,
    Map<String, String> sources,
    Map<Integer, Set<String>> features) {}
