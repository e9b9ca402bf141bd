#!/usr/bin/env bash
# Reads all pages of pictures and documents as one job: bash read-document.sh FILE...
set -euo pipefail

call() {
  curl --fail-with-body --silent --show-error --header "Authorization: Bearer ${GLYPHLIFT_KEY}" "$@"
}

files=()
for file in "$@"; do files+=(--form "file=@${file}"); done
created=$(call "${GLYPHLIFT_URL}/api/jobs" "${files[@]}") || { echo "$created"; exit 1; }
job="${GLYPHLIFT_URL}/api/jobs/$(sed -n 's/^{"id":"\([^"]*\)".*/\1/p' <<< "$created")"

while call "$job" | grep -q '"endedAt":null'; do sleep 2; done

call "$job/result" --header 'Accept: text/plain'
# Deletes the pages and texts now. Otherwise the server deletes them an hour after the end of the job.
call "$job" --request DELETE --output /dev/null
