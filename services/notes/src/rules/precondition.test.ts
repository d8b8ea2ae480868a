import { describe, expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import { noteInput } from '@commonplace/contracts/notes';
import { parseEntityTags } from '@commonplace/http';
import type { NoteState } from './note-state.ts';
import { rejectMalformed, rejectUnmet } from './precondition.ts';

const note = (overrides: Partial<NoteState> = {}): NoteState => ({
  ...noteInput.parse({}),
  id: noteId.parse(newId()),
  revision: 3,
  deletedAt: null,
  ...overrides,
});

describe('conditions', () => {
  const unmet = (
    ifMatch: string | undefined,
    ifNoneMatch: string | undefined,
    now: NoteState | null,
  ) =>
    rejectUnmet(
      { ifMatch: parseEntityTags(ifMatch), ifNoneMatch: parseEntityTags(ifNoneMatch) },
      now,
    )?.error?.code;

  it('If-Match holds for the revision of an active note, and for * if there is one', () => {
    expect(unmet('"3"', undefined, note())).toBeUndefined();
    expect(unmet('*', undefined, note())).toBeUndefined();
    expect(unmet('"2"', undefined, note())).toBe('precondition_failed');
    expect(unmet('"03"', undefined, note())).toBe('precondition_failed');
    expect(unmet('*', undefined, null)).toBe('precondition_failed');
    expect(unmet('"3"', undefined, note({ deletedAt: new Date() }))).toBe('precondition_failed');
  });

  it('If-None-Match holds if no active note has the revision', () => {
    expect(unmet(undefined, '*', null)).toBeUndefined();
    expect(unmet(undefined, '*', note({ deletedAt: new Date() }))).toBeUndefined();
    expect(unmet(undefined, '"2"', note())).toBeUndefined();
    expect(unmet(undefined, '*', note())).toBe('precondition_failed');
    expect(unmet(undefined, '"3"', note())).toBe('precondition_failed');
  });

  it('one that cannot be read is refused, not lost', () => {
    const precondition = { ifMatch: parseEntityTags('3'), ifNoneMatch: null };
    expect(rejectMalformed(precondition)?.error?.code).toBe('malformed_header');
  });
});
