import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

type Range = {
  fromLine: number;
  toLine: number;
  revision: number;
  atOrBefore: boolean;
  author: { id: string };
};

const aNote = async (...contents: readonly string[]) => {
  const agent = anAgent();
  const api = world.as(agent);
  const path = `/api/notes/${aNoteId()}`;
  for (const content of contents) {
    expect((await api.put(path).send({ content })).status).toBeLessThan(300);
  }
  const blame = async (query = '') =>
    (await api.get(`${path}/blame${query}`).expect(200)).body as {
      revision: number;
      lines: number;
      truncated: boolean;
      ranges: Range[];
    };
  return { agent, api, path, blame };
};

const brief = (ranges: readonly Range[]) =>
  ranges.map(({ fromLine, toLine, revision }) => [fromLine, toLine, revision]);

describe('GET /api/notes/{id}/blame', () => {
  it('names the version that brought each line, with author and time', async () => {
    const { agent, blame } = await aNote(
      'one\ntwo\nthree',
      'zero\none\ntwo\nthree',
      'zero\none\n2\nthree\nfour',
    );
    const { revision, lines, truncated, ranges } = await blame();
    expect([revision, lines, truncated]).toEqual([3, 5, false]);
    expect(brief(ranges)).toEqual([
      [1, 1, 2],
      [2, 2, 1],
      [3, 3, 3],
      [4, 4, 1],
      [5, 5, 3],
    ]);
    expect(ranges[0]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      author: { kind: 'agent', id: agent.agentId },
      atOrBefore: false,
    });
  });

  it('follows lines that move, and those of other authors', async () => {
    const company = aCompany();
    const [one, other] = [anAgent(company), anAgent(company)];
    const path = `/api/notes/${aNoteId()}`;
    await world.as(one).put(path).send({ content: 'a\nb\nc\n' });
    await world.as(other).put(path).send({ content: 'x\ny\na\nb\nc\n' });
    await world.as(one).put(path).send({ content: 'x\na\nc\n' });
    const { body } = await world.as(other).get(`${path}/blame`).expect(200);
    expect(
      body.ranges.map((range: Range) => [range.fromLine, range.revision, range.author.id]),
    ).toEqual([
      [1, 2, other.agentId],
      [2, 1, one.agentId],
    ]);
  });

  it('has the requested lines only, and at most 1,000', async () => {
    const { blame } = await aNote('line\n'.repeat(1_500), `${'line\n'.repeat(1_500)}end\n`);
    expect(brief((await blame('?fromLine=1499&toLine=1501')).ranges)).toEqual([
      [1499, 1500, 1],
      [1501, 1501, 2],
    ]);
    expect(brief((await blame()).ranges)).toEqual([[1, 1_000, 1]]);
    expect((await blame('?fromLine=1502')).ranges).toEqual([]);
    expect((await blame('?fromLine=3&toLine=2')).ranges).toEqual([]);
  });

  it('a deletion and restoration in between change no line', async () => {
    const { api, path, blame } = await aNote('kept\n');
    await api.delete(path).expect(204);
    await api.get(`${path}/blame`).expect(404);
    await api.post(`${path}/restore`).send({}).expect(200);
    expect(brief((await blame()).ranges)).toEqual([[1, 1, 1]]);
  });

  it('says so when the origin is beyond the text it looks at', async () => {
    const large = `${'x'.repeat(500 * 1024)}\n`;
    const { blame } = await aNote(
      ...Array.from({ length: 12 }, (_, index) => `${large}${'line\n'.repeat(index)}`),
    );
    const { truncated, ranges } = await blame();
    expect(truncated).toBe(true);
    expect(ranges[0]).toMatchObject({ fromLine: 1, revision: 5, atOrBefore: true });
    expect(ranges.at(-1)).toMatchObject({ toLine: 12, revision: 12, atOrBefore: false });
  });

  it('says so when a version differs too much to compare', async () => {
    const text = (mark: string) =>
      Array.from({ length: 12_000 }, (_, index) => `${mark} ${index}\n`).join('');
    const { blame } = await aNote(text('old'), text('new'));
    const { truncated, ranges } = await blame('?toLine=5');
    expect([truncated, brief(ranges)]).toEqual([true, [[1, 5, 2]]]);
  });

  it('is 404 for an unknown note, 403 for a foreign one, 400 for bad parameters', async () => {
    const { api, path } = await aNote('text');
    await api.get(`/api/notes/${aNoteId()}/blame`).expect(404);
    expect((await world.as(anAgent()).get(`${path}/blame`).expect(403)).body.code).toBe(
      'cross_company',
    );
    await api.get(`${path}/blame?fromLine=0`).expect(400);
  });
});
