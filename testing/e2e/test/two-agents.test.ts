import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { createCountedAgent, type CountedAgent } from '../src/two-agents/counted-agent.ts';
import { shareCompany, type SharedWork } from '../src/two-agents/share-company.ts';
import { makeAgentKey, makeCompanyKey } from '../src/world.ts';

/** Without edits, windows, differences and short responses, two agents received 1.5 MB each. */
const bytesMax = 200_000;

let system: TestSystem;
let agents: readonly [CountedAgent, CountedAgent];
let work: SharedWork;

beforeAll(async () => {
  system = await startTestSystem('local_trusted', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const board = system.as({});
  const { companyId, key } = await makeCompanyKey(board, 'Shared');
  const other = await makeAgentKey(board, companyId, 'Ben');
  agents = [
    createCountedAgent(system, { name: 'Ada', key }),
    createCountedAgent(system, { name: 'Ben', key: other.key }),
  ];
  work = await shareCompany(agents);
}, 120_000);
afterAll(() => system.stop());

const tableOf = ({ name, usage, total }: CountedAgent): string => {
  const rows = [...usage].toSorted(([, a], [, b]) => b.bytes - a.bytes);
  const lines = [...rows, ['in all', total()] as const].map(
    ([purpose, { calls, bytes }]) =>
      `${purpose.padEnd(20)} ${String(calls).padStart(5)} ${String(bytes).padStart(8)}`,
  );
  return `${name.padEnd(20)} calls    bytes\n${lines.join('\n')}\n`;
};

describe('two agents that share a company', () => {
  it('receive less than 200 KB each in about 200 requests', () => {
    for (const agent of agents) {
      process.stderr.write(`\n${tableOf(agent)}`);
      expect(agent.total().calls).toBeGreaterThan(150);
      expect(agent.total().bytes).toBeLessThan(bytesMax);
    }
  });

  it('get the same note when they create one of a title at once', () => {
    expect(new Set(work.logIds).size).toBe(1);
    expect(new Set(work.planIds).size).toBe(1);
  });

  it('find every line that either appended exactly once, repeated requests included', () => {
    const lines = work.log.split('\n').filter((line) => line.startsWith('- '));
    expect(lines.toSorted()).toEqual(work.appended.map((line) => line.trim()).toSorted());
  });

  it('find the same notes by a word in the singular and in the plural', () => {
    expect(work.singular).toHaveLength(4);
    expect(work.plural).toEqual(work.singular);
  });

  it('find a phrase at the end of a long note, and read only that part', () => {
    expect(work.phrase.foundIds).toEqual([work.phrase.longId]);
    expect(work.phrase.text).toContain('the heron waits at dawn');
  });

  it('resolve a conflict with one request that keeps both texts and removes the copy', () => {
    expect(work.resolved).toEqual({
      content: 'We take the red one.\nWe take the blue one.\n',
      copies: 0,
    });
  });

  it('see in the activity what the other one did, and nothing of their own', () => {
    const [ada, ben] = work.agentIds;
    expect(work.seenAuthors).toEqual([[ben], [ada]]);
  });
});
