import { describe, expect, it } from '@jest/globals';
import { findMessageFaults } from './find-message-faults.ts';

describe('a commit message', () => {
  it.each([
    'feat(notes): merge edits line by line',
    'fix!: refuse a cursor of another company\n\nIt returned an empty page.\n',
    'docs: say why 403\n# Please enter the commit message for your changes.',
    "Merge branch 'main' into topic",
    'fixup! feat(notes): merge edits line by line',
  ])('is accepted: %j', (message) => {
    expect(findMessageFaults(message)).toEqual([]);
  });

  it.each([
    ['of no known type', 'feature(notes): merge edits'],
    ['without a summary', 'feat(notes): '],
    ['with an empty scope', 'feat(): merge edits'],
    ['that is too long', `feat(notes): ${'very '.repeat(20)}long`],
    ['that ends in a full stop', 'feat(notes): merge edits.'],
    ['whose body follows at once', 'feat(notes): merge edits\nline by line'],
    ['that is empty', ''],
  ])('%s is refused', (_why, message) => {
    expect(findMessageFaults(message)).toHaveLength(1);
  });
});
