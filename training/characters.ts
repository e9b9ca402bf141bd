/** Prints as JSON the characters that the recognizer can read in English text: `npx tsx --conditions=source training/characters.ts`. */
import { dataIn } from '../src/ocr/languages/language-data.ts';
import { Lexicons } from '../src/ocr/languages/lexicon.ts';
import { nodeRuntime } from '../src/ocr/networks/onnxruntime.ts';
import { LastLayer } from '../src/ocr/recognizers/paddle-head.ts';

const layer = new LastLayer(JSON.parse(await nodeRuntime.readLastLayer()), nodeRuntime.openModel);
const { letters } = new Lexicons(dataIn([])).of(['eng']);
console.log(JSON.stringify(layer.headFor(letters).characters));
