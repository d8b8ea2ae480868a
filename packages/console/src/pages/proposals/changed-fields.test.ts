import { describe, expect, it } from '@jest/globals';
import { changedFields } from './changed-fields.ts';

const note = {
  title: 'Report',
  content: '',
  folder: 'reports',
  tags: ['weekly', 'draft'],
  pinned: false,
  archived: false,
  properties: { week: 46, by: 'Fay' },
};

describe('the changed fields', () => {
  it('name of tags and properties only those that are removed and added', () => {
    const after = { ...note, tags: ['sent', 'weekly'], properties: { week: 47, by: 'Fay' } };
    expect(changedFields(note, after)).toEqual([
      { label: 'Tags', removed: ['#draft'], added: ['#sent'], isEmptied: false },
      { label: 'Properties', removed: ['week: 46'], added: ['week: 47'], isEmptied: false },
    ]);
  });

  it('are none where the tags only change places', () => {
    expect(changedFields(note, { ...note, tags: ['draft', 'weekly'] })).toEqual([]);
  });

  it('have both titles, and say which field is empty afterwards', () => {
    expect(changedFields(note, { ...note, title: 'Report 46', folder: '' })).toEqual([
      { label: 'Title', removed: ['Report'], added: ['Report 46'], isEmptied: false },
      { label: 'Folder', removed: ['reports'], added: [], isEmptied: true },
    ]);
  });

  it('are of a new note those that are set', () => {
    expect(changedFields(null, { ...note, folder: '', tags: [], properties: {} })).toEqual([
      { label: 'Title', removed: [], added: ['Report'], isEmptied: false },
    ]);
  });
});
