import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteLimits, publicRoutes } from '@commonplace/contracts';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

/** A line of the guide: `METHOD path body → status`. */
type Example = {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
};

let running: TestSystem;
let agent: Api;
let guide: string;

beforeAll(async () => {
  running = await startTestSystem('authenticated');
  const { baseUrl } = running;
  const board = running.as(await running.boardHeaders());
  const company = await makeCompany(board, 'Readers', { baseUrl, withInvite: false });
  agent = running.as(bearer(company.key));
  guide = String((await running.as({})('GET', '/llms.txt')).body);
}, 120_000);
afterAll(() => running.stop());

const examplesOf = (markdown: string): Example[] =>
  [...markdown.matchAll(/```http\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => {
        const parts = /^([A-Z]+) (\S+)(?: (\{.*\}))? → (\d{3})$/.exec(line);
        const [, method = '', path = '', body, status] = parts ?? [];
        return { line, method, path, body, status: Number(status) };
      }),
  );

const idOf = ({ body }: ApiResponse): string => (body as { id: string }).id;

/** Makes a conflict copy of a note, as a client does that edits an old version. */
const makeConflict = async (noteId: string): Promise<string> => {
  const { body } = await agent('POST', '/api/sync', {
    body: {
      clientId: 'another',
      pull: 'none',
      onConflict: 'copy',
      changes: [
        {
          mutationId: randomUUID(),
          id: noteId,
          op: 'put',
          baseRevision: 1,
          note: { title: 'Log', folder: 'team', content: 'Ice melts at 0 C.\n' },
        },
      ],
    },
  });
  return (body as { results: { conflictNoteId: string }[] }).results[0]?.conflictNoteId ?? '';
};

describe('the guide for agents', () => {
  it('works line by line, in its order, with the status each line names', async () => {
    const values = new Map([['newId', randomUUID() as string]]);
    const fill = async (text: string): Promise<string> => {
      const id = values.get('id') ?? idOf(await agent('POST', '/api/notes', { body: log }));
      values.set('id', id);
      if (text.includes('{copyId}')) {
        values.set('copyId', await makeConflict(id));
      }
      return text.replaceAll(/\{(id|newId|copyId)\}/g, (_, name: string) => values.get(name) ?? '');
    };
    // The lines about reading come before the one that creates; theirs is a note with the words they look for.
    const log = { title: 'log', folder: 'team', tags: ['log'], content: 'Water boils at 100.\n' };
    const failed: string[] = [];
    expect(examplesOf(guide).length).toBeGreaterThan(25);
    for (const { line, method, path, body, status } of examplesOf(guide)) {
      const isCreation = line.includes('"ifTitleExists"');
      if (isCreation) {
        await agent('DELETE', await fill('/api/notes/{id}'));
      }
      const response = await agent(method, await fill(path), {
        ...(body === undefined ? {} : { body: JSON.parse(await fill(body)) as unknown }),
        headers: { prefer: 'return=minimal' },
      });
      if (isCreation) {
        values.set('id', idOf(response));
      }
      if (response.status !== status || isRejected(response)) {
        failed.push(`${line}: ${response.status} ${JSON.stringify(response.body)}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it('finds with each of its searches what was written before', async () => {
    await agent('POST', '/api/notes', {
      body: { title: 'Boiling', folder: 'team', tags: ['log'], content: 'Water boils at 100.\n' },
    });
    const searches = examplesOf(guide).filter(({ path }) => path.startsWith('/api/notes?'));
    expect(searches.length).toBeGreaterThan(2);
    for (const { path } of searches) {
      const { body } = await agent('GET', path);
      const titles = (body as { items: { title: string }[] }).items.map(({ title }) => title);
      expect([path, titles]).toEqual([path, expect.arrayContaining(['Boiling'])]);
    }
  });

  it('names routes that exist, and the limits that the server holds', async () => {
    const known = new Set(publicRoutes.map(({ method, path }) => `${method} ${path}`));
    const named = [...guide.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[^\s?`]*)/g)].map(
      ([, method = '', path = '']) => `${method.toLowerCase()} ${path}`,
    );
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((route) => !known.has(route))).toEqual([]);
    expect(guide).toContain(`at most ${noteLimits.contentBytesMax / 1024} KiB`);
    const late = await agent('GET', '/api/notes/changes?since=0&wait=26');
    expect(late.status).toBe(400);
    expect(guide).toContain('at most 25 seconds');
  });

  it('names every field of a note', async () => {
    const { body } = await agent('GET', '/api/notes?view=full&limit=1');
    const [note = {}] = (body as { items: object[] }).items;
    const [, fields = ''] = /A note: `\{(.*?)\}`/.exec(guide) ?? [];
    const hidden = ['companyId', 'deletedAt'];
    expect(fields.split(', ').toSorted()).toEqual(
      Object.keys(note)
        .filter((field) => !hidden.includes(field))
        .toSorted(),
    );
  });
});

/** A change that sync did not take: its status is inside the response. */
const isRejected = ({ path, body }: ApiResponse): boolean =>
  path === '/api/sync' && JSON.stringify(body).includes('"rejected":1');
