/**
 * Recordings of many JVMs: each becomes rows, rows go into a lake of Parquet files, and questions
 * are asked of that. What is in the rows depends on the recording alone.
 */
package io.github.vtdiag.fleet;
