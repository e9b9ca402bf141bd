import { describe, expect, it, test } from 'vitest';
import { directionOf, isBeyondWords, isStackedWord, mendMarks, writesPhrases } from './scripts.ts';

describe('directionOf', () => {
  it('is that of most letters, whatever digits stand between them', () => {
    expect(directionOf('שעה 18:30 של Anna ודוד')).toBe('rtl');
    expect(directionOf('Anna reads الكتب')).toBe('ltr');
  });

  it('is undefined for a text without letters', () => {
    expect(directionOf('18:30 – 19:00')).toBeUndefined();
  });
});

describe('isBeyondWords', () => {
  it('holds for scripts without spaces and for a single Korean syllable', () => {
    for (const text of ['尊', 'すべて', 'ห้องสมุด', '책']) expect(isBeyondWords(text)).toBe(true);
    for (const text of ['a', 'Würde', 'книги', '도서관은', '12']) expect(isBeyondWords(text)).toBe(false);
  });
});

describe('writesPhrases and isStackedWord', () => {
  it('hold for a phrase of Tibetan, and for a word of stacked letters', () => {
    expect(writesPhrases('དབང་ཚུ་')).toBe(true);
    for (const text of ['ಪರಸ್ಪರ', 'विचारशक्ति']) expect(isStackedWord(text)).toBe(true);
    for (const text of ['ब्)', 'Φμρριεππεηπίς', 'لاوكعمع']) expect(isStackedWord(text)).toBe(false);
  });
});

describe('mendMarks: marks', () => {
  it('between ideographs become full-width', () => {
    expect(mendMarks('自由,在尊嚴')).toBe('自由，在尊嚴');
    expect(mendMarks('良心,')).toBe('良心，');
  });

  it('in figures and in other scripts stay as they are', () => {
    for (const text of ['18:30', '2,500元', 'Gut, ja!', '하다, 그']) expect(mendMarks(text)).toBe(text);
  });

  it('of Tamil and Sinhala lose a joiner that has no meaning there, and Persian keeps its own', () => {
    expect(mendMarks('மனிதப்\u200c')).toBe('மனிதப்');
    expect(mendMarks('වුන්\u200c')).toBe('වුන්');
    expect(mendMarks('می\u200cروم')).toBe('می\u200cروم');
  });

  it('behind Arabic letters are Arabic ones, and behind their figures stay', () => {
    expect(mendMarks('نژاد,')).toBe('نژاد،');
    expect(mendMarks('لماذا?')).toBe('لماذا؟');
    for (const text of ['۲,۵', 'ב,', 'а,']) expect(mendMarks(text)).toBe(text);
  });

  it('that end an Armenian sentence are no colons', () => {
    expect(mendMarks('իրավունքներով:')).toBe('իրավունքներով։');
    expect(mendMarks('ժամը:12')).toBe('ժամը:12');
  });
});

describe('mendMarks: letters', () => {
  it('that stand for a measure are Greek in a Greek word alone', () => {
    expect(mendMarks('µε')).toBe('με');
    expect(mendMarks('ό\u00b5')).toBe('όμ');
    expect(mendMarks('5\u00b5m')).toBe('5\u00b5m');
  });

  it('of Malayalam without a vowel are one character', () => {
    expect(mendMarks('എല്ലാവര്\u200d')).toBe('എല്ലാവർ');
    expect(mendMarks('ക്ഷ')).toBe('ക്ഷ');
  });

  it('of Kannada, Telugu and Malayalam that look like a zero become signs behind letters', () => {
    expect(mendMarks('ಸ್ವತ೦ತ್ರ')).toBe('ಸ್ವತಂತ್ರ');
    expect(mendMarks('స్వత౦త్ర')).toBe('స్వతంత్ర');
    for (const text of ['೧೦', 'ಕ್ರ೦೧', '౨౦']) expect(mendMarks(text)).toBe(text);
  });

  it('of Lao that look like two signs become one, with the tone before it', () => {
    expect(mendMarks('ນ້ໍາ')).toBe('ນ້ຳ');
    expect(mendMarks('ຄໍາ')).toBe('ຄຳ');
  });
});

test.each([
  ['5\u03bcm', '5\u00b5m'],
  ['\u03bcs', '\u00b5s'],
  ['10\u03bc', '10\u00b5'],
  ['\u03bc\u03b5', '\u03bc\u03b5'],
  ['\u03b1\u03bcm', '\u03b1\u03bcm'],
])(
  'mendMarks: %s becomes %s, as the prefix of a unit is the micro sign and a letter of a Greek word is not',
  (text, expected) => {
    expect(mendMarks(text)).toBe(expected);
  },
);
