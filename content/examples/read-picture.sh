#!/usr/bin/env bash
# Reads the text in a picture: bash read-picture.sh PICTURE
set -euo pipefail

curl --fail-with-body --silent --show-error --retry 3 \
  "${GLYPHLIFT_URL}/api/extract-text" \
  --header "Authorization: Bearer ${GLYPHLIFT_KEY}" \
  --header "Idempotency-Key: $(sha256sum "$1" | cut -d ' ' -f 1)" \
  --header 'Accept: text/plain' \
  --form "file=@$1"
