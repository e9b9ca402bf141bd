/** Help texts of the commands. A test checks that `docs/command-line.md` contains those of `read` and `watch`. */

export const PROGRAM = {
  about: 'Turns images, scans and PDFs into text on this machine.',
  more: `
Nothing is sent anywhere: images are read on this machine, and neither stored nor logged. Added languages
are in DATA_DIR (default ~/.local/share/glyphlift). A file .env in the current folder is read.`,
} as const;

export const READ = {
  summary: 'extract text from images, PDFs and folders of them',
  about:
    'Extracts text from images, scans and PDFs: PNG, JPEG, WebP, GIF, BMP, TIFF, HEIC, AVIF and PDF; TIFF and PDF page by page. A folder is read with its subfolders, including links that you own. “-” is standard input. Files that cannot be read are reported on standard error, and the others are still read.',
  options: {
    format: 'text (default), md, json, hocr, alto, pdf, csv, docx, xlsx; separate several by commas',
    out: 'write one file per input and format, named after the input; subfolders are kept, and a second letter.jpg becomes letter-2. For one file and one format also a file name: --out letter.pdf',
    languages: 'such as deu or deu+eng, the main one first (default: eng)',
    jobs: 'pages read at once (default: the number of cores)',
    pages: 'only these pages of PDFs and TIFFs, such as 1-3,7 or 5-',
    minConfidence: 'leave out words with less than N percent confidence; their number is reported at the end',
    force: 'overwrite existing files',
  },
  more: `
Output:
  Without --out the text goes to standard output, with a form feed between pages and ==> NAME <== above each
  of several files. --format json then writes a line per page: file, page, pages, text, confidence, words
  (text, confidence, box, line, paragraph), width, height, rotation, language, notices; or file, page (null
  for a whole file), error. Confidence is in percent, boxes are in pixels.
  A PDF made from a PDF is the same file with invisible text on its pages: images, vector graphics,
  bookmarks, links, metadata and attachments stay, and so do pages that are not read. Signed PDFs are
  refused. Any other image becomes a page with invisible text.

Exit status:
  0  everything was read        1  something could not be read, see standard error
  2  wrong usage                130  interrupted; no partial file is left

Examples:
  glyphlift read receipt.jpg
  glyphlift read --format pdf,text --out texts/ scans/
  glyphlift read --format json *.png | jq -r .text
  scanimage --format png | glyphlift read -`,
} as const;

/** Options of `read` and `watch` for the text layer of a PDF. */
export const PDF = {
  pagesWithText:
    'where input and output are PDFs: skip (default) leaves pages with text as they are, redo replaces the invisible text of an earlier recognition, force replaces pages with text by an image of them',
  rotatePages: 'turn pages of a PDF upright',
  deskew: 'straighten skewed scans in a PDF, without encoding their images again',
  pdfa: 'write PDF/A-2b, for archives; where that is impossible, the error says why',
} as const;

export const WATCH = {
  summary: 'turn scans that arrive in a folder into searchable PDFs',
  about:
    'Turns scans that arrive in a folder into searchable PDFs with text files beside them. It watches the folder IN and its subfolders, and follows no links there. A file that no longer changes is read once, and its results appear in OUT when they are complete: NAME.pdf and NAME.txt. IN is never changed. Files are identified by their content, so a restart or a new name does not read one again; OUT/.glyphlift keeps the list, and can be deleted to start over. Nothing in OUT is overwritten: a second letter.jpg becomes letter-2.pdf. Files that cannot be read are listed in OUT/failed.txt with the reason, and retried when they change.',
  options: {
    format: 'default: pdf,text; see glyphlift read --help',
    languages: 'such as deu+eng (default: eng)',
    once: 'read what is there and exit, for cron. A file that still changes is left for the next time',
    settle: 'how long a file must be unchanged (default: 2)',
  },
  more: `
The folder is checked every two seconds, less often if it is very large; network folders work too. SIGTERM
and Ctrl-C stop the command; unfinished files are read at the next start.

Exit status:
  0  with --once: everything was read
  1  with --once: something could not be read, or the folders cannot be used
  2  wrong usage                130, 143  stopped by a signal`,
} as const;

export const LANGUAGES = {
  summary: 'list and add languages',
  about: 'Lists and adds languages. English is built in.',
  more: `
list --known lists all known codes, and which are pinned.

Languages are added to DATA_DIR/languages; OCR_LANG_DIRS names further folders. Pinned languages are verified
by hash. They come from the npm packages @tesseract.js-data/CODE, with your npm settings, or on Debian from
the packages tesseract-ocr-CODE of the archive that apt is set to. Others come from npm. A running server
offers added languages at once, and may read removed ones until it restarts.`,
} as const;

export const MCP = {
  summary: 'read images for clients of the Model Context Protocol',
  about:
    'Serves the engine as tools of the Model Context Protocol on standard input and output: read_image, read_pages, read_region and list_languages. A client starts it.',
  more: `
Files are read in the roots that the client states, and in no others. With FOLDER, only those in these folders
are. A client without roots gets those in FOLDER, or in the current folder. Links are followed to their end
before that is judged. No network is used.`,
} as const;
