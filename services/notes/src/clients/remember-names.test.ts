import { describe, expect, it } from '@jest/globals';
import { agentId, companyId, newId } from '@commonplace/contracts/core';
import { rememberNames } from './remember-names.ts';

const company = companyId.parse(newId());
const ada = { kind: 'agent', id: newId() } as const;
const bob = { kind: 'operator', id: newId() } as const;

/** Remembered names of authors, and the ids that were requested. */
const createNames = (nameOf: (id: string, of: string) => string | undefined) => {
  const requested: string[][] = [];
  const describeRecent = rememberNames(async ({ companyId: of, agentId: described, authors }) => {
    requested.push(authors.map(({ id }) => id));
    const names = authors.flatMap(({ id }) => {
      const name = nameOf(id, of);
      return name === undefined ? [] : [[id, name] as const];
    });
    const agent = described && ({ id: described } as never);
    return { agent, names: Object.fromEntries(names) };
  });
  return { describeRecent, requested };
};

describe('remembered names', () => {
  it('are requested once, and together', async () => {
    const { describeRecent, requested } = createNames((id) => `Name of ${id}`);
    const of = { companyId: company, agentId: null };

    await describeRecent({ ...of, authors: [ada] });
    const both = await describeRecent({ ...of, authors: [ada, bob] });
    const again = await describeRecent({ ...of, authors: [bob, ada] });

    expect(both.names).toEqual({ [ada.id]: `Name of ${ada.id}`, [bob.id]: `Name of ${bob.id}` });
    expect(again.names).toEqual(both.names);
    expect(requested).toEqual([[ada.id], [ada.id, bob.id]]);
  });

  it('are those of one company', async () => {
    const other = companyId.parse(newId());
    const { describeRecent } = createNames((id, of) => `${of} ${id}`);
    const nameIn = async (of: typeof company) =>
      (await describeRecent({ companyId: of, agentId: null, authors: [ada] })).names[ada.id];

    expect([await nameIn(company), await nameIn(other), await nameIn(company)]).toEqual([
      `${company} ${ada.id}`,
      `${other} ${ada.id}`,
      `${company} ${ada.id}`,
    ]);
  });

  it('of unknown authors are requested each time, and an agent is described each time', async () => {
    const { describeRecent, requested } = createNames((id) => (id === ada.id ? 'Ada' : undefined));
    const of = { companyId: company, authors: [ada] };
    const described = agentId.parse(ada.id);

    await describeRecent({ ...of, agentId: null, authors: [bob] });
    await describeRecent({ ...of, agentId: null, authors: [bob] });
    await describeRecent({ ...of, agentId: null });
    const { agent } = await describeRecent({ ...of, agentId: described });

    expect(requested).toEqual([[bob.id], [bob.id], [ada.id], [ada.id]]);
    expect(agent).toEqual({ id: described });
  });
});
