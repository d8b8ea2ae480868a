import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';

type Stemmer = (word: string) => string;

const ofLatin: readonly Stemmer[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  swedish,
];
const ofCyrillic: readonly Stemmer[] = [russian];

const latinWord = /^[a-z]{3,40}$/;
const cyrillicWord = /^[\u0430-\u045f]{3,40}$/;
const lettersMin = 2;

/**
 * The stems of a folded word in all languages of its script, without the word itself. Notes do not say their
 * language, and short queries do not show it. Two forms of a word have a stem in common in its own language;
 * the stems of other languages rarely meet those of another word.
 */
export const stemsOf = (word: string): readonly string[] => {
  const stemmers = latinWord.test(word) ? ofLatin : cyrillicWord.test(word) ? ofCyrillic : [];
  const stems = new Set(stemmers.map((stem) => stem(word)));
  stems.delete(word);
  return [...stems].filter((stem) => stem.length >= lettersMin);
};

/** Words whose stems are remembered: a text of any length has few words that are frequent. */
const rememberedMax = 20_000;

/** Creates `stemsOf` with a memory of the latest words, because stemming takes 80 µs per word. */
export const createStemmer = (): typeof stemsOf => {
  const remembered = new Map<string, readonly string[]>();
  return (word) => {
    const known = remembered.get(word);
    if (known) {
      return known;
    }
    const stems = stemsOf(word);
    if (remembered.size >= rememberedMax) {
      remembered.clear();
    }
    remembered.set(word, stems);
    return stems;
  };
};
