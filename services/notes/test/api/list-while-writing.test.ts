import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteSummary } from '@commonplace/contracts';
import fc from 'fast-check';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { storeNotes } from '../stored-notes.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

type Page = { items: NoteSummary[]; nextCursor: string | null };

describe('pages of a list, while others create notes', () => {
  const sort = fc.constantFrom('updatedAt', 'createdAt', 'title');
  const order = fc.constantFrom('asc', 'desc');
  const limit = fc.integer({ min: 1, max: 5 });
  /** Titles that fall before, between and after those of the notes that are there. */
  const titlesToAdd = fc.array(fc.stringMatching(/^[a-z]{0,3}$/), { minLength: 1, maxLength: 3 });

  it('show every note that was there all the time once, in order, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(sort, order, limit), titlesToAdd, async (query, titles) => {
        const [by, direction, size] = query;
        const company = aCompany();
        const there = await storeNotes(
          world.database.adminUrl,
          company,
          ['a', 'b', 'b', 'm', 'm', 'm', 'z'].map((title) => ({ title })),
        );
        const api = world.as(anAgent(company));
        const seen: NoteSummary[] = [];
        let cursor: string | null = '';
        for (let pages = 0; cursor !== null && pages < 100; pages += 1) {
          const from = cursor === '' ? '' : `&cursor=${cursor}`;
          const path = `/api/notes?sort=${by}&order=${direction}&limit=${size}${from}`;
          const writes = titles
            .slice(0, pages < 5 ? 3 : 0)
            .map((title) => api.put(`/api/notes/${aNoteId()}`).send({ title }).expect(201));
          const [response] = await Promise.all([api.get(path).expect(200), ...writes]);
          const page = response.body as Page;
          seen.push(...page.items);
          cursor = page.nextCursor;
        }
        const ids = seen.map(({ id }) => String(id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(there.filter((id) => !ids.includes(id))).toEqual([]);
        const values = seen.map((note) => note[by]);
        const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(values).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
      }),
      { numRuns: 20 },
    );
  }, 120_000);
});
