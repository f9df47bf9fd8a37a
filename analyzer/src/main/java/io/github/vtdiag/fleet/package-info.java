/**
 * Recordings of many JVMs. Each becomes rows, rows go into a lake of Parquet files, and queries
 * read that. The rows depend on the recording alone.
 */
package io.github.vtdiag.fleet;
