import { describe, expect, it } from '@jest/globals';
import { findConcerns, type Known } from './find-concerns.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');

const none = {
  monthlyCents: null,
  monthlyTokens: null,
  spentCents: 0,
  reservedCents: 0,
  spentTokens: 0,
};

const agent = (name: string, budget: object = {}, status = 'active') =>
  ({ id: name, name, status, budget: { ...none, ...budget } }) as NonNullable<
    Known['agents']
  >[number];

const failedRun = (agentId: string, finishedAt: string) =>
  ({ id: finishedAt, agentId, finishedAt, startedAt: finishedAt, reason: null }) as NonNullable<
    Known['failed']
  >[number];

const kinds = (known: Known) =>
  findConcerns(known, nowMs).map(({ kind, isWrong }) => `${kind} ${isWrong ? 'wrong' : 'soon'}`);

describe('what needs a person', () => {
  it('is nothing where nothing is wrong, or known', () => {
    expect(kinds({})).toEqual([]);
    expect(kinds({ agents: [agent('a', { monthlyCents: 0 })], company: { budget: none } })).toEqual(
      [],
    );
  });

  it('is a budget that is used up, of agents and of the company, and soon one that nearly is', () => {
    const agents = [
      agent('near', { monthlyCents: 100, spentCents: 80 }),
      agent('over', { monthlyCents: 100, spentCents: 90, reservedCents: 10 }),
      agent('tokens', { monthlyTokens: 10, spentTokens: 12 }),
      agent('calm', { monthlyCents: 100, spentCents: 79 }),
      agent('gone', { monthlyCents: 100, spentCents: 100 }, 'terminated'),
    ];
    const company = { budget: { ...none, monthlyCents: 1_000, spentCents: 1_000 } };
    const concerns = findConcerns({ agents, company }, nowMs);
    expect(
      concerns.map((each) => each.kind === 'budget' && [each.agent?.name, each.isWrong]),
    ).toEqual([
      [undefined, true],
      ['over', true],
      ['tokens', true],
      ['near', false],
    ]);
  });

  it('is a run that failed within a day, once for each agent', () => {
    const failed = [
      failedRun('a', '2026-03-10T11:00:00Z'),
      failedRun('b', '2026-03-10T10:00:00Z'),
      failedRun('a', '2026-03-09T13:00:00Z'),
      failedRun('c', '2026-03-09T11:00:00Z'),
    ];
    expect(
      findConcerns({ failed }, nowMs).map(
        (each) => each.kind === 'failures' && [each.agentId, each.runs.length],
      ),
    ).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('is wrong once the last key of an agent has expired, unless the agent was terminated', () => {
    const key = (agentId: string) => ({
      id: agentId,
      name: 'key',
      agentId,
      expiresAt: '2026-03-10T11:00:00Z',
    });
    const agents = [agent('a'), agent('gone', {}, 'terminated')];
    expect(kinds({ agents, expired: [key('a'), key('gone')] })).toEqual(['expired wrong']);
  });

  it('says that backups have stopped, once two days passed without one', () => {
    const kindsAt = (lastBackupAt: string | undefined) =>
      findConcerns({ lastBackupAt }, nowMs).map(({ kind, isWrong }) => [kind, isWrong]);
    const hoursAgo = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString();
    expect(kindsAt(hoursAgo(49))).toEqual([['backup', true]]);
    expect([kindsAt(hoursAgo(47)), kindsAt(undefined)]).toEqual([[], []]);
  });

  it('has what is wrong first, and what expires first before the rest', () => {
    const credential = (name: string, expiresAt: string) => ({
      id: name,
      name,
      agentId: 'a',
      expiresAt,
    });
    const concerns = findConcerns(
      {
        expiring: [
          credential('later', '2026-03-20T00:00:00Z'),
          credential('sooner', '2026-03-11T00:00:00Z'),
        ],
        findings: [
          { check: 'backup', state: 'failure', detail: 'none' },
          { check: 'disk', state: 'warning', detail: 'full' },
          { check: 'schema', state: 'ok', detail: 'fine' },
        ],
      },
      nowMs,
    );
    expect(
      concerns.map((each) =>
        each.kind === 'expiry'
          ? each.credential.name
          : each.kind === 'finding' && each.finding.check,
      ),
    ).toEqual(['backup', 'disk', 'sooner', 'later']);
  });
});
