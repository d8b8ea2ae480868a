import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@commonplace/client';
import type { Money } from '../../components/money.ts';
import { describeDetail } from './describe-detail.ts';

const context = {
  nameOf: (id: unknown) => (id === 'a' ? 'Ada' : undefined),
  money: { format: (cents: number) => `$${cents / 100}` } as Money,
};

const describeEntry = (type: string, detail: object): string =>
  describeDetail({ entity: { type, id: 'a' }, detail } as Schema<'ActivityEntry'>, context);

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
    ).toBe('monthly: none → $50 · tokens: 1 → 2');
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
      describeEntry('company', { unit: 'cents', limit: 80_000, used: 64_000, month: '2026-11' }),
    ).toBe('$640 of $800 used · month: 2026-11');
    expect(describeEntry('company', { unit: 'tokens', limit: 8, used: 9, runId: 'r' })).toBe(
      '9 of 8 tokens used · run: r',
    );
    expect(describeEntry('key', { agentId: 'a', overlapSeconds: 86_400 })).toBe(
      'Ada · the old key ends in 1 d',
    );
    expect(describeEntry('key', { agentId: 'a', overlapSeconds: 0 })).toBe(
      'Ada · the old key ends at once',
    );
  });

  it('names an agent once, and leaves out what is empty', () => {
    expect(describeEntry('agent', { name: 'Ada', title: null, role: '' })).toBe('Ada');
    expect(describeEntry('agent', { title: 'Lead' })).toBe('Ada · title: Lead');
  });

  it('has names in place of ids', () => {
    const runId = '0198a000-0000-7000-8000-00000000abcd';
    const entry = { entity: { type: 'run', id: 'r' }, detail: { runId } };
    const describeWith = (other: object) =>
      describeDetail(entry as unknown as Schema<'ActivityEntry'>, { ...context, ...other });
    expect(describeWith({})).toBe(`run: ${runId}`);
    expect(describeWith({ nameOf: () => 'Olga' })).toBe('run: Olga');
  });
});
