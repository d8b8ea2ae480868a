import { describe, expect, it } from '@jest/globals';
import { agentId, newId, type AgentId } from '@commonplace/contracts/core';
import { assertManager, type ManagerCandidate } from './assert-manager.ts';

const ids = (count: number): AgentId[] =>
  Array.from({ length: count }, () => agentId.parse(newId()));
const [self, boss] = ids(2) as [AgentId, AgentId];
const ask = (change: Partial<ManagerCandidate>) => () => {
  assertManager({
    agentId: self,
    managerStatus: 'active',
    managers: [boss],
    levelsBelow: 0,
    ...change,
  });
};
const refusedAs = (code: string) => expect.objectContaining({ code });

describe('a manager', () => {
  it('may be any living agent of the company, paused ones included', () => {
    expect(ask({})).not.toThrow();
    expect(ask({ managerStatus: 'paused' })).not.toThrow();
    expect(ask({ agentId: null })).not.toThrow();
  });

  it('is nobody the agent is above of, and not the agent itself', () => {
    expect(ask({ managers: [boss, self] })).toThrow(refusedAs('manager_cycle'));
    expect(ask({ managers: [self] })).toThrow(refusedAs('manager_cycle'));
  });

  it('is neither unknown nor terminated', () => {
    expect(ask({ managerStatus: null, managers: [] })).toThrow(refusedAs('manager_not_in_company'));
    expect(ask({ managerStatus: 'terminated' })).toThrow(refusedAs('manager_terminated'));
  });

  it('has a chain of 32 at most, counted from the lowest report', () => {
    expect(ask({ managers: ids(32) })).not.toThrow();
    expect(ask({ managers: ids(33) })).toThrow(refusedAs('chain_too_deep'));
    expect(ask({ managers: ids(30), levelsBelow: 2 })).not.toThrow();
    expect(ask({ managers: ids(30), levelsBelow: 3 })).toThrow(refusedAs('chain_too_deep'));
  });
});
