#!/usr/bin/env bash
# Makes docs/report.png, the picture of the page: the first screen of `vtdiag demo`'s recording, in Chromium.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
chromium=${VTDIAG_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
./vtdiag demo >&2
./vtdiag report sample-apps/target/pgjdbc.jfr --classpath sample-apps/target/vtdiag-samples.jar \
  --classpath 'sample-apps/target/lib-before/pgjdbc/*' --sources sample-apps/src/main/java -q -o "$folder/report.html"
"$chromium" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update \
  --disable-sync --user-data-dir="$folder/profile" --hide-scrollbars --virtual-time-budget=5000 --window-size=1180,860 \
  --screenshot="$PWD/docs/report.png" "file://$folder/report.html" 2>/dev/null
ls -l docs/report.png
