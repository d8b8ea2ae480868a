import { describe, expect, it } from '@jest/globals';
import { placeLabels } from './place-labels.ts';

describe('the labels beside a block', () => {
  it('stand beside their lines, the first at the top if its line is in the block before', () => {
    expect(placeLabels([4], { from: 10, to: 19 })).toEqual(['min(40%, 100% - 24px)']);
    expect(placeLabels([-3], { from: 10, to: 19 })).toEqual(['min(0%, 100% - 24px)']);
  });

  it('are each below the one before, and leave space for those that follow', () => {
    expect(placeLabels([8, 9], { from: 10, to: 19 })).toEqual([
      'min(80%, 100% - 48px)',
      'min(max(90%, min(80%, 100% - 48px) + 24px), 100% - 24px)',
    ]);
  });
});
