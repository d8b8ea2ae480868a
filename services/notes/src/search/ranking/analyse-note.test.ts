import { describe, expect, it } from '@jest/globals';
import { analyseText, type Sentence } from './analyse-note.ts';
import { choosePassages } from './choose-passages.ts';

const countPauses = async (content: string): Promise<number> => {
  let pauses = 0;
  await analyseText(
    content,
    () => [],
    async () => {
      pauses += 1;
    },
  );
  return pauses;
};

describe('analyseText', () => {
  it('lets others run within a text of one line, with spaces or without', async () => {
    expect(await countPauses('word '.repeat(100_000))).toBeGreaterThan(100);
    expect(await countPauses('a'.repeat(500_000))).toBeGreaterThan(100);
  });

  it('splits long sentences at their last space in reach, and keeps every character', async () => {
    const content = `${'word '.repeat(100)}${'x'.repeat(600)} end`;
    const { sentences } = await analyseText(
      content,
      () => [],
      async () => {},
    );
    expect(sentences.map(({ start, end }) => content.slice(start, end)).join('')).toBe(content);
    expect(content.slice(0, sentences[0]?.end)).toBe('word '.repeat(48));
  });
});

describe('choosePassages', () => {
  it('takes work that does not grow with how often a note repeats a word', () => {
    let reads = 0;
    const hit = { group: 0, start: 0, end: 1, isExact: true };
    const sentences = Array.from({ length: 20_000 }, (_, line): Sentence => {
      const place = { start: line * 4, end: line * 4 + 3, line: line + 1, heading: -1 };
      return {
        ...place,
        get hits() {
          reads += 1;
          return [hit];
        },
      };
    });
    expect(choosePassages({ sentences, headings: [] }, [1])).not.toEqual([]);
    expect(reads).toBeLessThan(20_000 * 20);
  });
});
