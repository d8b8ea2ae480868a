import { describe, expect, it } from '@jest/globals';
import { unknownNote } from './local-note.ts';
import { noteText } from './note-text.ts';
import { applyPulledNote, applyResult } from './apply-result.ts';

const known = {
  ...unknownNote('0190a000-0000-7000-8000-000000000001'),
  server: { revision: 7, text: noteText({ title: 'before the restore' }), conflictOf: null },
};

const pulled = (revision: number) => ({
  ...noteText({ title: 'of the server' }),
  tags: [],
  id: known.id,
  companyId: '0190a000-0000-7000-8000-000000000002',
  revision,
  size: 0,
  snippet: '',
  conflictOf: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  deletedAt: null,
  createdBy: { kind: 'agent' as const, id: known.id },
  updatedBy: { kind: 'agent' as const, id: known.id },
});

describe('a pulled note', () => {
  it('never replaces a newer revision', () => {
    expect(applyPulledNote(known, pulled(6)).server?.revision).toBe(7);
  });

  it('replaces the known one during a full pull, even with a lower revision, as after a restore', () => {
    const note = applyPulledNote({ ...known, isUnseen: true }, pulled(6));
    expect(note).toMatchObject({ isUnseen: false, server: { revision: 6 } });
    expect(note.server?.text.title).toBe('of the server');
  });
});

describe('a conflict whose copy was pulled before its result was known', () => {
  const mutation = { mutationId: 'm', baseRevision: 7, text: noteText({ content: 'mine' }) };
  const draft = { text: noteText({ content: 'mine, more' }), origin: { mutation } };
  const note = { ...known, outstanding: { mutation, follows: null }, draft };
  const copyId = '0190a000-0000-7000-8000-000000000003';
  const server = { revision: 2, text: noteText({ content: 'mine, there' }), conflictOf: known.id };
  const result = {
    mutationId: 'm',
    id: known.id,
    status: 'conflict' as const,
    revision: 8,
    conflictNoteId: copyId,
  };

  it('keeps what the copy has, when the draft goes on there', () => {
    const { note: after, copy } = applyResult(note, result, (id) => ({
      ...unknownNote(id),
      server,
    }));
    expect(after.draft).toBeNull();
    expect(copy).toMatchObject({
      id: copyId,
      server,
      draft: { ...draft, origin: { revision: 1 } },
    });
  });

  it('keeps the draft of the copy and that of the note', () => {
    const edited = { text: noteText({ content: 'edited there' }), origin: { revision: 2 } };
    const find = (id: string) => ({ ...unknownNote(id), server, draft: edited });
    const { note: after, copy, origin } = applyResult(note, result, find);
    expect(copy).toBeNull();
    expect(after).toMatchObject({ outstanding: null, draft });
    expect(origin).toEqual({ mutation });
  });
});
