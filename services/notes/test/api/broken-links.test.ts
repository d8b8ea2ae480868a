import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NoteId } from '@commonplace/contracts';
import type { BrokenLink } from '@commonplace/contracts/notes';
import type { AgentCaller } from '@commonplace/identity';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
let agent: AgentCaller;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  agent = anAgent();
});

const put = async (note: object, id = aNoteId()): Promise<NoteId> => {
  const { status } = await world.as(agent).put(`/api/notes/${id}`).send(note);
  expect([200, 201]).toContain(status);
  return id;
};

type Page = {
  readonly items: readonly BrokenLink[];
  readonly nextCursor: string | null;
  readonly isComplete: boolean;
};

const list = async (query = '', as: AgentCaller = agent): Promise<Page> => {
  const { body } = await world.as(as).get(`/api/notes/broken-links${query}`).expect(200);
  return body as Page;
};

const linksOf = ({ items }: Page): string[] =>
  items.map(({ note, title }) => `${note.title} -> ${title}`).toSorted();

describe('the broken links of a company', () => {
  it('are those to titles that no note has and to deleted or absent notes, and follow both', async () => {
    const gone = await put({ title: 'Gone' });
    const absent = aNoteId();
    const content = `[[Plan]] [[plan|again]] [[${gone}]] [here](/notes/${absent}) \`[[code]]\``;
    const id = await put({ title: 'Source', folder: 'a', content });
    const plan = { note: { id, title: 'Source', folder: 'a' }, title: 'Plan' };
    const toAbsent = { ...plan, title: absent };
    expect(await list()).toEqual({
      items: [plan, toAbsent],
      nextCursor: null,
      isComplete: true,
    });
    const target = await put({ title: 'PLAN' });
    await world.as(agent).delete(`/api/notes/${gone}`).expect(204);
    expect((await list()).items).toEqual([{ ...plan, title: gone }, toAbsent]);
    await put({ title: 'Renamed' }, target);
    await put({ title: 'There' }, absent);
    expect((await list()).items).toEqual([plan, { ...plan, title: gone }]);
  });

  it('are listed of a folder with its subfolders, without archived notes and conflict copies', async () => {
    const content = '[[Nowhere]]';
    await put({ title: 'Top', folder: 'a', content });
    await put({ title: 'Below', folder: 'a/b', content });
    await put({ title: 'Beside', folder: 'ab', content });
    await put({ title: 'Archived', folder: 'a', content, archived: true });
    const disputed = await put({ title: 'Disputed', folder: 'a', content: 'base' });
    await put({ title: 'Disputed', folder: 'a', content: 'this' }, disputed);
    await syncClient(world, agent).push(
      putOf({ title: 'Disputed', folder: 'a', content }, { id: disputed, baseRevision: 1 }),
    );
    expect(linksOf(await list('?folder=a'))).toEqual(['Below -> Nowhere', 'Top -> Nowhere']);
    expect((await list()).items).toHaveLength(3);
  });

  it('are all found page by page, where nearly all links lead to a note', async () => {
    const target = Array.from({ length: 500 }, (_, index) => putOf({ title: `n${index}` }));
    const client = syncClient(world, agent);
    await client.push(...target);
    const sound = target
      .slice(2)
      .map((_, index) => `[[n${index}]]`)
      .join(' ');
    const sources = Array.from({ length: 12 }, (_, index) =>
      putOf({
        title: `Source ${index}`,
        content: index % 4 === 0 ? `${sound} [[x]] [[y]]` : sound,
      }),
    );
    await client.push(...sources);
    const pages: Page[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=1${cursor}`);

      pages.push(page);
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(pages.flatMap(linksOf).toSorted()).toEqual(
      [0, 4, 8].flatMap((index) => [`Source ${index} -> x`, `Source ${index} -> y`]),
    );
    expect(pages.every(({ items }) => items.length <= 1)).toBe(true);
    const [{ nextCursor }] = pages as [Page];
    const ofAll = `/api/notes/broken-links?cursor=${nextCursor}`;
    await world.as(agent).get(ofAll).expect(200);
    await world.as(agent).get(`${ofAll}&folder=a`).expect(400);
  });

  it('are for a reader of some folders those of their notes, to notes outside as well', async () => {
    await put({ title: 'Hidden', folder: 'secret', content: '[[Secretly missing]]' });
    await put({ title: 'Shown', folder: 'a', content: '[[Hidden]] [[Beside]] [[Missing]]' });
    await put({ title: 'Beside', folder: 'a/b' });
    expect(linksOf(await list())).toEqual(['Hidden -> Secretly missing', 'Shown -> Missing']);
    const reader = {
      ...agent,
      grants: [{ folder: 'a', scope: 'read' as const, mode: 'direct' as const }],
    };
    expect(linksOf(await list('', reader))).toEqual(['Shown -> Hidden', 'Shown -> Missing']);
    expect((await list('', { ...agent, grants: [] })).items).toEqual([]);
  });

  it('have cursors without hidden notes for a reader of some folders', async () => {
    const links = Array.from({ length: 300 }, (_, index) => `[[gone ${index}]]`).join(' ');
    const hidden = Array.from({ length: 8 }, () => putOf({ folder: 'secret', content: links }));
    const seen = [putOf({ folder: 'a', content: links }), putOf({ folder: 'a', content: links })];
    await syncClient(world, agent).push(...hidden, ...seen);
    const reader = {
      ...agent,
      grants: [{ folder: 'a', scope: 'read' as const, mode: 'direct' as const }],
    };
    let cursor: string | null = null;
    let count = 0;
    do {
      const page: Page = await list(
        `?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`,
        reader,
      );
      count += page.items.length;
      cursor = page.nextCursor;
      const position = Buffer.from(cursor ?? '', 'base64url').toString();
      expect(hidden.filter(({ id }) => position.includes(id))).toEqual([]);
    } while (cursor !== null);
    expect(count).toBe(600);
  });
});
