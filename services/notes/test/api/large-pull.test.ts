import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, runId, type CompanyId } from '@commonplace/contracts';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import fc from 'fast-check';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const escaped = fc.constantFrom(
  '"',
  '\\',
  '/',
  '\b',
  '\t',
  '\n',
  '\u001b',
  '\u007f',
  '\u2028',
  ' ',
);
const anyCharacter = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });

/** Texts of any characters that can be stored; many of them are such as JSON has to escape. */
const text = (maxLength: number) =>
  fc
    .string({ unit: fc.oneof(escaped, anyCharacter), maxLength })
    .map((value) => value.replaceAll('\0', ''));
const line = (maxLength: number) =>
  text(maxLength).map((value) => value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ''));

const note = fc.record({
  title: line(40),
  content: text(400),
  folder: fc.constantFrom('', 'plans', 'plans/"2027"', 'Bücher/\\/日本'),
  tags: fc.uniqueArray(
    line(10).filter((tag) => tag.trim() !== ''),
    { maxLength: 4 },
  ),
  pinned: fc.boolean(),
  archived: fc.boolean(),
  properties: fc.dictionary(line(8), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
});

/** Who may write besides agents with a key. */
const othersOf = (companyId: CompanyId) => [
  agentCaller({ companyId, runId: runId.parse(newId()) }),
  operatorCaller({ companies: [grant(companyId)] }),
];

describe('a large page, whose notes are written as they are read', () => {
  it('equals the small pages byte for byte, for any note and author', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(note, { minLength: 3, maxLength: 60 }), async (notes) => {
        const company = aCompany();
        const client = syncClient(world, anAgent(company));
        const puts = notes.map((each) => putOf(each));
        await client.push(...puts);
        for (const other of othersOf(company)) {
          await syncClient(world, other).push(...notes.slice(0, 2).map((each) => putOf(each)));
        }
        // A first pull under way: what is deleted from here on comes as a tombstone.
        const { cursor } = await client.sync({ limit: 1 });
        const ids = puts.map(({ id }) => id);
        for (const other of othersOf(company)) {
          const change = putOf({ title: 'later' }, { id: ids.shift() ?? '', baseRevision: 1 });
          await syncClient(world, other).push(change);
        }
        await client.push(deleteOf(ids.pop() ?? '', 1));
        const large = await client.post({ cursor, limit: 500 });
        expect(large.headers['transfer-encoding']).toBe('chunked');
        const small = await client.pullAll(cursor, 50);
        expect(small.changes.at(-1)?.deletedAt).toEqual(expect.any(String));
        expect(large.text).toContain(`{"changes":${JSON.stringify(small.changes)},"results":[]`);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
