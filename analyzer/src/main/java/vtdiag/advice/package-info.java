/** What to do about a finding: so far, the library versions that are known to have mended it. */
package vtdiag.advice;
