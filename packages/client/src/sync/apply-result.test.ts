import { describe, expect, it } from '@jest/globals';
import { unknownNote } from './local-note.ts';
import { noteText } from './note-text.ts';
import { applyPulledNote } from './apply-result.ts';

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
