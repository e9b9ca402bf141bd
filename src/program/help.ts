export const HELP = `glyphlift: text out of pictures, scans and PDFs, on this machine

  glyphlift read FILE…        reads pictures, PDFs and folders of them
  glyphlift watch IN OUT      turns scans that arrive in a folder into searchable PDFs
  glyphlift languages         what can be read in, and how to have more
  glyphlift serve             the web product: page and calls
  glyphlift worker            reads pictures for servers on the same Redis
  glyphlift admin             the operator’s tool

  glyphlift COMMAND --help    says more
  glyphlift --version

Nothing is sent anywhere: pictures are read by this machine, and neither kept nor logged. Languages that were added and the
server’s data lie in DATA_DIR (now ~/.local/share/glyphlift unless you say otherwise); a file .env in this folder is read.
`;

export const READ_HELP = `glyphlift read: reads text out of pictures, scans and PDFs

SYNOPSIS
  glyphlift read [OPTIONS] FILE|FOLDER|-…

  Reads PNG, JPEG, WebP, GIF, BMP, TIFF, HEIC, AVIF and PDF; a TIFF or PDF page by page. Of a folder all of these in it and
  below are read, including links that you own. “-” is standard input. Files that cannot be read are reported on standard error,
  and the others are still read.

OPTIONS
  -f, --format FORMATS      text (if nothing is said), md, json, hocr, alto, pdf, csv, docx, xlsx; several joined by commas
  -o, --out FOLDER          write a file for each there, named as the picture is; folders below a folder are kept, and a
                            second letter.jpg becomes letter-2. For one file and one format a file’s name is
                            understood too: --out letter.pdf
  -l, --languages CODES     such as deu or deu+eng, the main one first; English if nothing is said
  -j, --jobs N              pages that are read at once; as many as there are cores if nothing is said
  -p, --pages PAGES         of PDFs and TIFFs only these, such as 1-3,7 or 5-
      --min-confidence N    leave out words whose chance of being right is below N percent; how many is told at the end
      --force               write over files that are there already
  -h, --help                this

OUTPUT
  Without --out the text goes to standard output: a form feed between pages, and ==> NAME <== above each of several files.
  --format json writes a line for each page there: file, page, pages, text, confidence, words (text, confidence, box, line,
  paragraph), width, height, rotation, language, notices; or file, page (null of a whole file), error. Confidence is in percent,
  boxes are in pixels.
  A PDF that is written holds each page as a picture, at 300 dots an inch at most, and the text over it, unseen.

EXIT STATUS
  0  everything was read        1  something was not, as was told
  2  the command was not meant  130  it was interrupted; no half file is left

EXAMPLES
  glyphlift read receipt.jpg
  glyphlift read --format pdf,text --out texts/ scans/
  glyphlift read --format json *.png | jq -r .text
  scanimage --format png | glyphlift read -
`;

export const WATCH_HELP = `glyphlift watch: turns scans that arrive into searchable PDFs, each with its text beside it

SYNOPSIS
  glyphlift watch [OPTIONS] IN OUT

  Looks through the folder IN and those below it, and follows no link there. A file that has stopped growing is read once, and
  its results appear in OUT whole: NAME.pdf and NAME.txt. IN is never changed. Files are recognized by their content, so
  that neither a restart nor a new name reads one again; OUT/.glyphlift keeps this list, and can be deleted to start over.
  Nothing in OUT is ever overwritten: a second letter.jpg becomes letter-2.pdf.

  What could not be read stands in OUT/failed.txt with the reason, and is tried again when the file changes.

OPTIONS
  -f, --format FORMATS      pdf,text if nothing is said; see glyphlift read --help
  -l, --languages CODES     such as deu+eng; English if nothing is said
  -j, --jobs N              pages that are read at once; as many as there are cores if nothing is said
      --once                read what is there, and end: for cron. A file that is still growing is left for the next time
      --settle SECONDS      how long a file must not have changed; 2 if nothing is said
  -h, --help                this

  It looks every two seconds, or less often in very large folders; network folders need nothing else. SIGTERM and Ctrl-C end
  it: what was not finished is read at the next start.

EXIT STATUS
  0  with --once: everything was read    1  with --once: something was not, or the folders cannot be used
  2  the command was not meant           130, 143  it was told to end
`;

export const LANGUAGES_HELP = `glyphlift languages: what pictures can be read in

  glyphlift languages list               what is installed
  glyphlift languages list --known       every code that has a name here, and which are pinned
  glyphlift languages add CODE…          fetch, check and install, such as: add deu fra chi_sim
  glyphlift languages remove CODE…       remove what was added

Languages are added to DATA_DIR/languages; with OCR_LANG_DIRS other folders can be read as well. Those that are pinned
come by their hash: from the npm packages @tesseract.js-data/CODE, with your own npm settings, or on Debian from the
packages tesseract-ocr-CODE of the archive that apt is set to. Others are npm's. A running server offers what was added at
once, and may go on reading what was removed until it is restarted. English is built in.
`;
