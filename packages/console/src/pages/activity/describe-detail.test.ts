import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@commonplace/client';
import type { Money } from '../../components/money.ts';
import { describeDetail } from './describe-detail.ts';

const context = {
  nameOf: (id: unknown) => (id === 'a' ? 'Ada' : undefined),
  money: { format: (cents: number) => `$${cents / 100}` } as Money,
};

type Entry = Schema<'ActivityEntry'>;

const describeEntry = (type: string, detail: object): string =>
  describeDetail(
    {
      action: `${type}.updated`,
      entity: { type, id: 'a' },
      detail,
    } as unknown as Schema<'ActivityEntry'>,
    context,
  );

describe('the detail of an entry', () => {
  it('begins with whom it is about', () => {
    expect(
      describeEntry('run', { scopes: ['notes:read'], agentId: 'a', reserveCents: 12_500 }),
    ).toBe('Ada · scopes: notes:read · reserve $125');
    const scopes = ['notes:read', 'notes:write', 'agents:read', 'runs:write'];
    expect(describeEntry('run', { agentId: 'a', scopes })).toBe('Ada · scopes: all');
    expect(describeEntry('key', { prefix: 'cpk_1', agentId: 'a', name: 'first' })).toBe(
      'Ada · first · prefix: cpk_1',
    );
    expect(describeEntry('invite', { role: 'viewer', email: 'v@example.org' })).toBe(
      'v@example.org · role: viewer',
    );
  });

  it('says changes, folders and what consists of parts in words', () => {
    expect(
      describeEntry('company', {
        monthlyCents: { from: null, to: 5_000 },
        tokens: { from: 1, to: 2 },
      }),
    ).toBe('monthly budget: none → $50 · tokens: 1 → 2');
    expect(describeEntry('agent', { name: { from: 'Ada', to: 'Ida' } })).toBe(
      'Ada · name: Ada → Ida',
    );
    const grants = [{ folder: 'sales', scope: 'read', mode: 'direct' }];
    expect(describeEntry('key', { grants })).toBe('reaches sales (read only)');
    expect(describeEntry('member', { grants: { from: null, to: grants } })).toBe(
      'grants: all notes → sales (read only)',
    );
    expect(describeEntry('run', { usage: { costCents: 3, model: null }, booked: false })).toBe(
      'usage: cost $0.03 · booked: no',
    );
  });

  it('says whose notes an undo changed, and not its id', () => {
    expect(describeEntry('run', { undoId: '01a2', agentId: 'a' })).toBe('Ada');
    expect(describeEntry('company', { undoId: '01a2', undone: '01a1' })).toBe('takes back an undo');
    const ofKey = { action: 'notes.undone', entity: { type: 'key' }, detail: { agentId: 'a' } };
    expect(describeDetail(ofKey as unknown as Schema<'ActivityEntry'>, context)).toBe(
      'Ada · what it wrote with a key',
    );
  });

  it('says what several fields mean together: a change, and how much of a budget is used', () => {
    expect(describeEntry('member', { from: 'owner', to: 'viewer' })).toBe('owner → viewer');
    expect(describeEntry('company', { from: 'Acme', to: 'Acme' })).toBe('');
    expect(
      describeEntry('member', {
        from: 'operator',
        to: 'operator',
        grants: { from: null, to: [{ folder: 'sales', scope: 'read', mode: 'direct' }] },
      }),
    ).toBe('grants: all notes → sales (read only)');
    expect(
      describeEntry('agent', { unit: 'cents', limit: 80_000, used: 64_000, month: '2026-11' }),
    ).toBe('Ada · $640 of $800 used in November 2026');
    expect(describeEntry('key', { agentId: 'a', overlapSeconds: 86_400 })).toBe(
      'Ada · the old key ends in 1 d',
    );
    expect(describeEntry('key', { agentId: 'a', overlapSeconds: 0 })).toBe(
      'Ada · the old key ends at once',
    );
  });

  it('says how a budget was used up in words, in the currency of that time and with no field that is said already', () => {
    const exhausted = (type: string, detail: object) =>
      describeDetail(
        { action: 'budget.exhausted', entity: { type, id: 'a' }, detail } as Entry,
        context,
      );
    const inCents = { unit: 'cents', limit: 1_000, used: 1_500, month: '2026-11', currency: 'EUR' };
    expect(exhausted('agent', { ...inCents, runId: 'r', agentId: 'a', booked: true })).toBe(
      'Ada · €15.00 of €10.00 used in November 2026 · its run was ended',
    );
    const inTokens = { unit: 'tokens', limit: 8_000, used: 9_000, month: '2026-11' };
    expect(exhausted('company', { ...inTokens, runId: 'r', agentId: 'a', booked: false })).toBe(
      'budget of the company · Ada · 9,000 of 8,000 tokens used in November 2026 · ' +
        'its run was ended, and what it reported last is not counted',
    );
  });

  it('has no raw words: reasons, who decides, ends and adopted companies are said', () => {
    const describeOf = (action: string, detail: object) =>
      describeDetail({ action, entity: { type: 'company', id: 'c' }, detail } as Entry, context);
    expect(
      describeOf('run.cancelled', { agentId: 'a', status: 'cancelled', because: 'budget' }),
    ).toBe('Ada · because: a report exceeded the budget');
    expect(describeOf('run.finished', { agentId: 'a', status: 'failed', costCents: 100 })).toBe(
      'Ada · failed · cost $1',
    );
    expect(
      describeOf('company.proposal_deciders_changed', { from: 'operators', to: 'agents' }),
    ).toBe('Operators and owners → Operators, owners and agents');
    expect(describeOf('company.renamed', { from: 'agents', to: 'operators' })).toBe(
      'agents → operators',
    );
    expect(describeOf('key.created', { expiresAt: '2026-11-27T12:00:00.000Z' })).toMatch(
      /^expires Nov 2[678], 2026/,
    );
    expect(describeOf('member.added', { email: 'e@x.org', adoptedFrom: '0', inviteId: '1' })).toBe(
      'e@x.org · in place of the local operator',
    );
  });

  it('names an agent once, and leaves out what is empty', () => {
    expect(describeEntry('agent', { name: 'Ada', title: null, role: '' })).toBe('Ada');
    expect(describeEntry('agent', { title: 'Lead' })).toBe('Ada · title: Lead');
  });

  it('has names in place of ids', () => {
    const runId = '0198a000-0000-7000-8000-00000000abcd';
    const entry = { action: 'run.started', entity: { type: 'run', id: 'r' }, detail: { runId } };
    const describeWith = (other: object) =>
      describeDetail(entry as unknown as Schema<'ActivityEntry'>, { ...context, ...other });
    expect(describeWith({})).toBe(`run: ${runId}`);
    expect(describeWith({ nameOf: () => 'Olga' })).toBe('run: Olga');
  });
});
