import { createStemmer } from './stem-word.ts';

/** The stems of words with one memory for all searches of this process. */
export const rememberedStems = createStemmer();
