import { describe, expect, it } from '@jest/globals';
import { noteText } from '@commonplace/client';
import fc from 'fast-check';
import { foldPath, pathFor, placeOf } from './note-path.ts';
import { safeSegment } from './safe-segment.ts';
import { createTakenPaths } from './taken-paths.ts';

const noteOf = (title: string, folder = '', conflictOf: string | null = null) => ({
  text: noteText({ title, folder }),
  conflictOf,
});
const none = createTakenPaths();

/** The name as defined: the first number that is free. */
const firstFree = (title: string, paths: ReadonlySet<string>): string => {
  const folded = new Set(Array.from(paths, foldPath));
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${title}.md` : `${title} (${number}).md`;
    if (!folded.has(foldPath(path))) {
      return path;
    }
  }
};

describe('the name of a file', () => {
  it('is valid on every file system, and never hidden', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const name = safeSegment(text);
        expect(name).not.toMatch(/[\u0000-\u001f<>:"/\\|?*]|^\.|[. ]$/);
        expect(Buffer.byteLength(name)).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThan(200);
      }),
    );
  });

  it('expresses title and folder if they are valid names', () => {
    const path = pathFor(noteOf('Plan: no', 'a/b'), null, none);
    expect(path).toBe('a/b/Plan- no.md');
    expect(placeOf('a/b/Plan.md')).toEqual({ title: 'Plan', folder: 'a/b' });
  });

  it('gets a number when it is taken, in any case and Unicode form', () => {
    const taken = createTakenPaths(['plan.md', 'plan (2).md']);
    expect(pathFor(noteOf('PLAN'), null, taken)).toBe('PLAN (3).md');
  });

  it('is the first free one, whatever was numbered, freed or kept before', () => {
    const title = fc.constantFrom('Plan', 'PLAN', 'Plan (2)', 'ΟΔΟΣ', 'οδος', 'straße', 'STRASSE');
    const note = fc.record({ title, isKept: fc.boolean(), isRemoved: fc.boolean() });
    fc.assert(
      fc.property(fc.array(note, { maxLength: 40 }), (notes) => {
        const [taken, paths] = [createTakenPaths(), new Set<string>()];
        for (const { title, isKept, isRemoved } of notes) {
          const [current = null] = isKept ? paths : [];
          const path = pathFor(noteOf(title), current, taken);
          expect(path).toBe(path === current ? current : firstFree(title, paths));
          taken.add(path);
          paths.add(path);
          if (isRemoved) {
            const [oldest = ''] = paths;
            taken.delete(oldest);
            paths.delete(oldest);
          }
        }
      }),
    );
  });

  it('is found with three lookups, however many notes have the same title', () => {
    const taken = createTakenPaths();
    let lookups = 0;
    const counted = {
      ...taken,
      has: (path: string) => {
        lookups += 1;
        return taken.has(path);
      },
    };
    const paths = Array.from({ length: 1_000 }, () => {
      const path = pathFor(noteOf('Untitled'), null, counted);
      taken.add(path);
      return path;
    });
    expect(new Set(paths).size).toBe(1_000);
    expect(paths.at(-1)).toBe('Untitled (1000).md');
    expect(lookups).toBeLessThanOrEqual(3 * 1_000);
  });

  it('stays the same while it fits', () => {
    expect(pathFor(noteOf('Plan', 'a'), 'a/Plan (2).md', none)).toBe('a/Plan (2).md');
    expect(pathFor(noteOf('Plan', 'b'), 'a/Plan (2).md', none)).toBe('b/Plan.md');
    expect(pathFor(noteOf('Plans'), 'Plan.md', none)).toBe('Plans.md');
    expect(pathFor(noteOf('PLAN'), 'Plan.md', createTakenPaths(['plan.md']))).toBe('Plan.md');
  });

  it('marks a conflict copy', () => {
    expect(pathFor(noteOf('Plan', '', 'id'), null, none)).toMatch(
      /^Plan \(conflict \d{4}-\d\d-\d\d\)\.md$/,
    );
  });
});
