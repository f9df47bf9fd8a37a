/** The lake of a fleet, written by Apache Spark on the machines of a cluster. */
package io.github.vtdiag.spark;
