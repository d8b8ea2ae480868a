import { describe, expect, it } from '@jest/globals';
import { agentId, newId, type AgentId } from '@commonplace/contracts/core';
import { assertManager, type ManagerCandidate } from './assert-manager.ts';

const ids = (count: number): AgentId[] =>
  Array.from({ length: count }, () => agentId.parse(newId()));
const [self, boss] = ids(2) as [AgentId, AgentId];
const check = (change: Partial<ManagerCandidate>) => () => {
  assertManager({
    agentId: self,
    managerStatus: 'active',
    managers: [boss],
    levelsBelow: 0,
    ...change,
  });
};
const rejectedWith = (code: string) => expect.objectContaining({ code });

describe('a manager', () => {
  it('is any agent of the company that is active or paused', () => {
    expect(check({})).not.toThrow();
    expect(check({ managerStatus: 'paused' })).not.toThrow();
    expect(check({ agentId: null })).not.toThrow();
  });

  it('is neither the agent itself nor one of its reports', () => {
    expect(check({ managers: [boss, self] })).toThrow(rejectedWith('manager_cycle'));
    expect(check({ managers: [self] })).toThrow(rejectedWith('manager_cycle'));
  });

  it('is neither unknown nor terminated', () => {
    expect(check({ managerStatus: null, managers: [] })).toThrow(
      rejectedWith('manager_not_in_company'),
    );
    expect(check({ managerStatus: 'terminated' })).toThrow(rejectedWith('manager_terminated'));
  });

  it('allows a chain of at most 32, counted from the lowest report', () => {
    expect(check({ managers: ids(32) })).not.toThrow();
    expect(check({ managers: ids(33) })).toThrow(rejectedWith('chain_too_deep'));
    expect(check({ managers: ids(30), levelsBelow: 2 })).not.toThrow();
    expect(check({ managers: ids(30), levelsBelow: 3 })).toThrow(rejectedWith('chain_too_deep'));
  });
});
