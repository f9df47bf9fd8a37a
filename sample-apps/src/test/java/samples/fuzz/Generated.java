package samples.fuzz;

import java.util.Map;
import java.util.Set;

/**
 * A generated program.
 *
 * @param name its package
 * @param kept a bit for each of its locks: it is the seed's whole program, or a part of it
 * @param sources its files by their names
 * @param features what its locks are and what is done with them
 */
record Generated(
    String name, long seed, int kept, Map<String, String> sources, Set<String> features) {}
