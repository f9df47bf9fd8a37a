/** The findings and the data behind them, as one HTML file that needs nothing else. */
package io.github.vtdiag.page;
