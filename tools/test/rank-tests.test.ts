import { describe, expect, it } from '@jest/globals';
import { rankTests } from './rank-tests.ts';

const rank = (changed: readonly string[], tests: readonly string[], related = tests) =>
  rankTests({ tests, related, changed, bytesOf: (test) => test.length });

describe('rankTests', () => {
  it('puts changed tests first, then their package, then what imports it, then what runs it', () => {
    const changed = ['services/notes/src/read/blame.ts', 'packages/cli/test/sync.test.ts'];
    const inOrder = [
      'packages/cli/test/sync.test.ts',
      'services/notes/test/api/restore.test.ts',
      'packages/http/test/in-order.test.ts',
      'testing/e2e/test/fuzz.test.ts',
    ];
    const [, , , runs = ''] = inOrder;
    const related = inOrder.filter((test) => test !== runs);
    expect(rank(changed, inOrder.toReversed(), related)).toEqual(inOrder);
  });

  it('puts tests with the words of changed files before others, and small ones before large ones', () => {
    expect(
      rank(
        ['packages/console/src/pages/notes/read/note-links.tsx'],
        [
          'packages/console/test/keyboard.test.ts',
          'packages/console/test/sort.test.ts',
          'packages/console/test/notes-links.test.ts',
        ],
      ),
    ).toEqual([
      'packages/console/test/notes-links.test.ts',
      'packages/console/test/sort.test.ts',
      'packages/console/test/keyboard.test.ts',
    ]);
  });
});
