/** Longer words are indexed and searched by their beginning. */
const lettersMax = 64;

const ascii = /^[\u0000-\u007f]*$/;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Not those of Japanese. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Letters without a decomposition into a base letter and an accent. */
const ligatures: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const ligature = /[ßæœøđðłıþς]/g;

/** The form in which a word is indexed: lower case, without accents, compatibility characters replaced. */
export const foldWord = (word: string): string => {
  const short = word.length > lettersMax ? word.slice(0, lettersMax).toWellFormed() : word;
  const lower = short.toLowerCase();
  return ascii.test(lower) ? lower : foldLetters(lower);
};

const foldLetters = (lower: string): string =>
  lower
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(ligature, (letter) => ligatures[letter] ?? letter)
    .normalize('NFC');
