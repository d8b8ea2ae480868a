import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId, noteId } from '@commonplace/contracts/core';
import { fitContext, startOf, type ContextCandidate, type ContextMeasures } from './fit-context.ts';

const candidate = fc
  .record({
    title: fc.string({ maxLength: 80 }),
    text: fc.string({ maxLength: 3_000, unit: 'grapheme' }),
  })
  .map(({ title, text }): ContextCandidate => ({
    id: noteId.parse(newId()),
    revision: 1,
    title,
    folder: '',
    reason: 'pinned',
    updatedAt: '2026-01-01T00:00:00.000Z',
    author: { kind: 'agent', id: newId(), name: null },
    deleted: false,
    size: Buffer.byteLength(text),
    text,
  }));

const frameBytes = 100;
const measures: ContextMeasures = {
  fixedBytes: 500,
  noteBytes: ({ title, text }) => frameBytes + Buffer.byteLength(title) + Buffer.byteLength(text),
  omittedBytes: ({ title }) => 60 + Buffer.byteLength(title),
};

describe('fitting notes into a context', () => {
  it('never exceeds the budget, keeps the order, and takes each note once', () => {
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 30 }),
        fc.integer({ min: 4_096, max: 20_000 }),
        (candidates, bytesMax) => {
          const { notes, omitted } = fitContext(candidates, bytesMax, measures);
          const bytes = notes.reduce(
            (sum, note) => sum + measures.noteBytes(note),
            omitted.reduce((sum, note) => sum + measures.omittedBytes(note), measures.fixedBytes),
          );
          expect(bytes).toBeLessThanOrEqual(bytesMax);
          // What was cut or left out would have had no room, apart from cuts at the ends of lines and characters.
          const isCut = omitted.length > 0 || notes.some(({ truncated }) => truncated);
          const filled = isCut && notes.length > 0 ? bytes : bytesMax;
          expect(filled).toBeGreaterThan(bytesMax * 0.8 - frameBytes - 400);
          const ids = candidates.map(({ id }) => id);
          const places = notes.map(({ id }) => ids.indexOf(id));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(new Set([...notes, ...omitted].map(({ id }) => id)).size).toBe(
            notes.length + omitted.length,
          );
          notes.forEach(({ id, text, truncated }) => {
            const whole = candidates[ids.indexOf(id)]?.text ?? '';
            expect(whole.startsWith(text)).toBe(true);
            expect(truncated).toBe(text !== whole);
          });
        },
      ),
    );
  });

  it('takes every note whole when there is room, and lists one whose text was not read by its title', () => {
    const [one, two] = fc.sample(candidate, 2).map((each) => ({ ...each, text: 'text', size: 4 }));
    if (!one || !two) {
      throw new Error('No samples');
    }
    expect(fitContext([one, { ...two, text: '' }], 4_096, measures)).toMatchObject({
      notes: [{ id: one.id, text: 'text', truncated: false }],
      omitted: [{ id: two.id }],
    });
  });

  it('cuts texts between characters', () => {
    expect(startOf('zebra🦓🦓', 8)).toBe('zebra');
    expect(startOf('zebra🦓🦓', 9)).toBe('zebra🦓');
  });
});
