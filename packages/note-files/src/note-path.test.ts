import { describe, expect, it } from '@jest/globals';
import { noteText } from '@commonplace/client';
import fc from 'fast-check';
import { foldPath, pathFor, placeOf, safeSegment } from './note-path.ts';

const noteOf = (title: string, folder = '', conflictOf: string | null = null) => ({
  text: noteText({ title, folder }),
  conflictOf,
});
const never = (): boolean => false;

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
    const path = pathFor(noteOf('Plan: no', 'a/b'), null, never);
    expect(path).toBe('a/b/Plan- no.md');
    expect(placeOf('a/b/Plan.md')).toEqual({ title: 'Plan', folder: 'a/b' });
  });

  it('gets a number when it is taken, in any case and Unicode form', () => {
    const taken = new Set(['plan.md', 'plan (2).md'].map(foldPath));
    expect(pathFor(noteOf('PLAN'), null, (path) => taken.has(path))).toBe('PLAN (3).md');
  });

  it('stays the same while it fits', () => {
    expect(pathFor(noteOf('Plan', 'a'), 'a/Plan (2).md', never)).toBe('a/Plan (2).md');
    expect(pathFor(noteOf('Plan', 'b'), 'a/Plan (2).md', never)).toBe('b/Plan.md');
    expect(pathFor(noteOf('Plans'), 'Plan.md', never)).toBe('Plans.md');
    expect(pathFor(noteOf('PLAN'), 'Plan.md', (path) => path === 'plan.md')).toBe('Plan.md');
  });

  it('marks a conflict copy', () => {
    expect(pathFor(noteOf('Plan', '', 'id'), null, never)).toMatch(
      /^Plan \(conflict \d{4}-\d\d-\d\d\)\.md$/,
    );
  });
});
