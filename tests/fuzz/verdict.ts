/** What an answer has to be, whatever was asked. */
import { apiErrorSchema } from '#contract/errors';
import { extractionSchema } from '#contract/extraction';
import type { Question } from './inputs.ts';
import type { Answer } from './raw-http.ts';

export type Verdict =
  /** `result`: what was asked for. `refused`: a status of 4xx with a sentence. `answered`: anything else below 400. */
  { outcome: 'result' | 'refused' | 'answered' } | { outcome: 'finding'; what: string };

/** The longer side of a preview. */
const PREVIEW_SIDE = 1_600;
/** A sentence for people: a capital, some words, a full stop or none. */
const SENTENCE = /^[\p{Lu}“"‘'].{3,}/u;

export function judge(question: Question, { status, headers, body }: Answer): Verdict {
  const type = headers['content-type'] ?? '';
  if (status >= 500) return finding(`answered ${status}: ${body.toString('utf8').slice(0, 200)}`);
  if (question === 'address') return { outcome: status < 400 ? 'answered' : 'refused' };
  if (status >= 400) return judgeRefusal(question, status, body);
  if (status !== 200) return question === 'call' ? { outcome: 'answered' } : finding(`answered ${status}`);
  if (question === 'preview') return judgePreview(type, body);
  if (!type.startsWith('application/json')) return finding(`a result of the type ${type}`);
  const json = parsed(body);
  if (json === undefined) return finding('a result that is not JSON');
  if (question === 'call') return { outcome: 'result' };
  const result = extractionSchema.safeParse(json);
  if (!result.success)
    return finding(`a result beside the contract: ${result.error.issues[0]?.path.join('.')}`);
  const { extractedText, wordCount, confidence, lines } = result.data;
  if (extractedText === '' && (wordCount !== 0 || confidence !== 0 || lines.length > 0)) {
    return finding('a result without text that counts words');
  }
  return { outcome: 'result' };
}

function judgeRefusal(question: Question, status: number, body: Buffer): Verdict {
  const refusal = apiErrorSchema.safeParse(parsed(body));
  if (!refusal.success) return finding(`${status} without the contract's body`);
  if (!SENTENCE.test(refusal.data.error))
    return finding(`${status} without a sentence: ${refusal.data.error}`);
  // The run's settings leave room for every picture: a limit would only hide what lies behind it.
  if (status === 429 && question !== 'call')
    return finding(`429 although the limits are out of reach: ${refusal.data.error}`);
  return { outcome: 'refused' };
}

function judgePreview(type: string, body: Buffer): Verdict {
  const isPng = body.length > 24 && body.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (type !== 'image/png' || !isPng) return finding(`a preview that is no PNG but ${type}`);
  const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)];
  if (Math.max(width, height) > PREVIEW_SIDE) return finding(`a preview of ${width} × ${height} pixels`);
  return { outcome: 'result' };
}

function finding(what: string): Verdict {
  return { outcome: 'finding', what };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
