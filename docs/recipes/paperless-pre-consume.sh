#!/usr/bin/env bash
# Gives PDFs that paperless-ngx consumes a text layer, read by Glyphlift. Other files, and PDFs that cannot be read, go on
# unchanged. Settings: PAPERLESS_PRE_CONSUME_SCRIPT=/path/to/paperless-pre-consume.sh and PAPERLESS_OCR_MODE=skip;
# GLYPHLIFT is the command, if it is not glyphlift on the PATH, GLYPHLIFT_LANGUAGES such as deu+eng.
set -euo pipefail

file=${DOCUMENT_WORKING_PATH:?is set by paperless-ngx}
[[ $(head --bytes 5 "$file") == "%PDF-" ]] || exit 0

folder=$(mktemp --directory)
trap 'rm --recursive "$folder"' EXIT

# The name must not begin with a dash, and GLYPHLIFT may be several words.
if ${GLYPHLIFT:-glyphlift} read --format pdf --languages "${GLYPHLIFT_LANGUAGES:-eng}" \
  --out "$folder/read.pdf" "$(realpath "$file")"; then
  # Into the same file: its owner and its rights stay.
  cat "$folder/read.pdf" > "$file"
else
  echo "Glyphlift could not read it; it is consumed as it is." >&2
fi
