import { expect, it } from '@jest/globals';
import { draftText, type ConflictDraft } from './conflict-draft.ts';

const draft = (work: Partial<ConflictDraft>): ConflictDraft => ({
  choices: [],
  written: null,
  note: { content: 'one\n' } as ConflictDraft['note'],
  other: 'two\n',
  ...work,
});

it('the text of a draft has what is written or chosen, and what was chosen of earlier versions', () => {
  expect(draftText(draft({ choices: ['other'] }))).toBe('two\n');
  expect(draftText(draft({ choices: ['other'], written: 'by hand' }))).toBe('by hand');
  expect(draftText(draft({ choices: ['other'], earlier: 'three' }))).toBe('two\n\n\nthree');
  expect(draftText(draft({ choices: [null], earlier: 'three' }))).toBe('three');
  expect(draftText(draft({}))).toBe('one\ntwo\n');
});
