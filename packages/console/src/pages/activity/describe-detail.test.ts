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
      'usage: cost 3 · booked: no',
    );
  });

  it('names an agent once, and leaves out what is empty', () => {
    expect(describeEntry('agent', { name: 'Ada', title: null, role: '' })).toBe('Ada');
    expect(describeEntry('agent', { title: 'Lead' })).toBe('Ada · title: Lead');
  });
});
