/** A program that downloads one language, which tests kill or wait for. Arguments: FOLDER CODE PIN. */
import { LanguageFetcher, npmPackages } from '#ocr';

const [folder = '', code = '', pin = ''] = process.argv.slice(2);
const fetcher = new LanguageFetcher({ folder, sources: [npmPackages({ [code]: JSON.parse(pin) })] });
await fetcher.fetch(code, { onProgress: ({ received }) => process.stdout.write(`${received}\n`) });
process.stdout.write('done\n');
