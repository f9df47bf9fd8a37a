package io.github.vtdiag.dump;

import io.github.vtdiag.model.Frame;

/**
 * Virtual threads that wait until an object of a pool is free.
 *
 * @param pool its name
 * @param asked the frame that asked the pool
 */
public record PoolCrowd(String pool, Frame asked, long threads) {}
