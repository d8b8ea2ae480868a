import { expect, it } from '@jest/globals';
import type { Schema } from '@commonplace/client';
import { runIdOf } from './detail-parts.ts';

it('finds the run of an entry about one, and the run that used up a budget', () => {
  const runOf = (action: string, entity: object, detail: object) =>
    runIdOf({ action, entity, detail } as Schema<'ActivityEntry'>);
  expect(runOf('run.started', { type: 'run', id: 'r' }, {})).toBe('r');
  expect(runOf('budget.exhausted', { type: 'agent', id: 'a' }, { runId: 'r' })).toBe('r');
  expect(runOf('budget.warned', { type: 'agent', id: 'a' }, {})).toBeNull();
});
