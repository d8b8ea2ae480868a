import { describe, expect, it } from '@jest/globals';
import { chooseConcerns, findConcerns, type Known } from './find-concerns.ts';

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

  it('is what failed within a day, as one', () => {
    const failed = [
      failedRun('a', '2026-03-10T11:00:00Z'),
      failedRun('b', '2026-03-10T10:00:00Z'),
      failedRun('a', '2026-03-09T13:00:00Z'),
      failedRun('c', '2026-03-09T11:00:00Z'),
    ];
    expect(
      findConcerns({ failed }, nowMs).map(
        (each) => each.kind === 'failures' && each.runs.map(({ agentId }) => agentId),
      ),
    ).toEqual([['a', 'b', 'a']]);
    expect(kinds({ failed: failed.slice(3) })).toEqual([]);
  });

  it('is in an archived company only what is wrong with the instance', () => {
    const known = {
      agents: [agent('over', { monthlyCents: 100, spentCents: 100 })],
      failed: [failedRun('a', '2026-03-10T11:00:00Z')],
      proposals: 3,
      findings: [{ check: 'disk', state: 'warning', detail: 'full' }] as const,
    };
    expect(kinds({ ...known, findings: [...known.findings] })).toHaveLength(4);
    expect(
      kinds({
        ...known,
        findings: [...known.findings],
        company: { budget: none, status: 'archived' },
      }),
    ).toEqual(['finding soon']);
  });

  it('shows one of each kind before a second one of any, in the order of all', () => {
    const agents = ['a', 'b', 'c'].map((name) => agent(name, { monthlyCents: 1, spentCents: 1 }));
    const credential = { id: 'k', name: 'k', agentId: 'a', expiresAt: '2026-03-11T00:00:00Z' };
    const all = findConcerns({ agents, proposals: 1, expiring: [credential] }, nowMs);
    const chosen = (count: number) => chooseConcerns(all, count).map(({ kind }) => kind);
    expect(chosen(3)).toEqual(['budget', 'proposals', 'expiry']);
    expect(chosen(4)).toEqual(['budget', 'budget', 'proposals', 'expiry']);
    expect(chooseConcerns(all, 9)).toEqual(all);
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
