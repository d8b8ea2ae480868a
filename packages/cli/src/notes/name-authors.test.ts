import { describe, expect, it } from '@jest/globals';
import { createClient, type Schema } from '@commonplace/client';
import { nameAuthors } from './name-authors.ts';

const agents = Array.from({ length: 30 }, (_, index): Schema<'Author'> => ({
  kind: 'agent',
  id: `0198a000-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`,
}));

/** A client of a server with these responses to requests for an agent, and the ids that were requested. */
const clientOf = (respond: (id: string) => Response) => {
  const requested: string[] = [];
  const api = createClient({
    baseUrl: 'http://commonplace.test',
    credential: 'key',
    fetch: async ({ url }) => {
      const id = url.slice(url.lastIndexOf('/') + 1);
      requested.push(id);
      return respond(id);
    },
  });
  return { api, requested };
};

const problem = (status: number, code: string): Response =>
  Response.json({ type: 'about:blank', title: code, status, code }, { status });

const [first, second] = agents.map(({ id }) => id);

describe('the names of authors', () => {
  it('are looked up once each, for twenty at most; one that is not found is named by its id', async () => {
    const { api, requested } = clientOf((id) =>
      id === first ? problem(404, 'not_found') : Response.json({ id, name: `Agent ${id}` }),
    );
    const nameOf = await nameAuthors(api, [...agents, ...agents]);
    expect(requested).toEqual(agents.slice(0, 20).map(({ id }) => id));
    expect(agents.slice(0, 2).map(nameOf)).toEqual([`agent ${first}`, `Agent ${second}`]);
    expect(agents.slice(20).map(nameOf)).toEqual(agents.slice(20).map(({ id }) => `agent ${id}`));
  });

  it('are not requested again by who may not read them', async () => {
    const { api, requested } = clientOf(() => problem(403, 'insufficient_scope'));
    const nameOf = await nameAuthors(api, agents);
    expect(requested).toEqual([first]);
    expect(agents.map(nameOf)).toEqual(agents.map(({ id }) => `agent ${id}`));
  });

  it('of operators come with their last change, where the API has it', async () => {
    const operators = agents.slice(0, 2).map(({ id }) => ({ kind: 'operator' as const, id }));
    const requested: string[] = [];
    const api = createClient({
      baseUrl: 'http://commonplace.test',
      credential: 'key',
      fetch: async ({ url }) => {
        const { pathname, searchParams } = new URL(url);
        const author = searchParams.get('author');
        requested.push(`${pathname} ${author} ${searchParams.get('limit')}`);
        const items = author === first ? [{ author: { id: first, name: 'Olga' } }] : [];
        return Response.json({ items, nextCursor: null });
      },
    });
    const nameOf = await nameAuthors(api, [...operators, ...operators]);
    expect(requested).toEqual(operators.map(({ id }) => `/api/notes/activity ${id} 1`));
    expect(operators.map(nameOf)).toEqual(['Olga', `operator ${second}`]);
  });
});
