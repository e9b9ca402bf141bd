#!/usr/bin/env bash
# Has all pages of pictures and documents read as one job: bash read-document.sh FILE...
set -euo pipefail

call() {
  curl --fail-with-body --silent --show-error --header "Authorization: Bearer ${GLYPHLIFT_KEY}" "$@"
}

files=()
for file in "$@"; do files+=(--form "file=@${file}"); done
made=$(call "${GLYPHLIFT_URL}/api/jobs" "${files[@]}") || { echo "$made"; exit 1; }
job="${GLYPHLIFT_URL}/api/jobs/$(sed -n 's/^{"id":"\([^"]*\)".*/\1/p' <<< "$made")"

while call "$job" | grep -q '"endedAt":null'; do sleep 2; done

call "$job/result" --header 'Accept: text/plain'
# What is deleted is forgotten at once, and everything else an hour after its end.
call "$job" --request DELETE --output /dev/null
