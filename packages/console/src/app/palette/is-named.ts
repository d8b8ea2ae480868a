import type { PaletteItem } from './palette-item.ts';

type Named = Pick<PaletteItem, 'label' | 'otherWords'>;

const namesOf = ({ label, otherWords = '' }: Named): string =>
  `${label} ${otherWords}`.toLowerCase();

/** Whether the name of an item contains the text. */
export const isNamed = (item: Named, text: string): boolean =>
  namesOf(item).includes(text.toLowerCase());

/** Whether a word of its name begins with the text, which may be several words. */
export const hasWord = (item: Named, text: string): boolean => {
  const words = inWords(text);
  return words !== '' && ` ${inWords(namesOf(item))}`.includes(` ${words}`);
};

const inWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
