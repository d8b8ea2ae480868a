import { describe, expect, it } from '@jest/globals';
import { excerptParts } from './excerpt-parts.ts';

describe('excerptParts', () => {
  it.each([
    ['plain <b>text</b>', ['plain <b>text</b>']],
    ['the ⟦kettle⟧ boils', ['the ', '*kettle*', ' boils']],
    ['⟦a⟧⟦b⟧', ['*a*', '*b*']],
    ['', []],
  ])('of %j are %j', (excerpt, parts) => {
    const read = excerptParts(excerpt).map(({ text, isMatch }) => (isMatch ? `*${text}*` : text));
    expect(read).toEqual(parts);
  });
});
