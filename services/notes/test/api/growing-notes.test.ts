import { setTimeout as sleep } from 'node:timers/promises';
import { read, type CompanyTx, type Db } from '@commonplace/db';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findVersion } from '../../src/queries/versions.ts';
import { aNoteId } from '../notes-world.ts';
import { aTeam, createTwoForms, type Form, type TwoForms } from '../two-forms.ts';

let forms: TwoForms;

beforeAll(async () => {
  forms = await createTwoForms(() => new Date());
});

afterAll(() => forms.close());

const line = (index: number) =>
  `- ${index}: ${'an agent says what it did, and why, '.repeat(3)}`.slice(0, 79);

/** The bytes that a note takes in both tables, with what is stored apart. */
const bytesOf = async ({ query }: Form, id: string): Promise<number> => {
  const [row] = await query<{ bytes: number }>(
    `select sum(pg_column_size(content))::integer as bytes from (
       select content from notes.note_revisions where note_id = $1
       union all select content from notes.notes where id = $1
     ) s`,
    [id],
  );
  return row?.bytes ?? 0;
};

const append = (
  { world }: Form,
  id: string,
  { by, text }: { by: ReturnType<typeof aTeam>['agent']; text: string },
) =>
  world
    .as(by)
    .patch(`/api/notes/${id}`)
    .send({ edits: [{ op: 'append', text }] });

it('a log of some hundred appends takes at most three times its last version, also after it is closed', async () => {
  const { agent } = aTeam();
  const { shared } = forms;
  const id = aNoteId();
  // Text that does not compress, so that the bytes are those of the texts.
  const first = Buffer.from(crypto.getRandomValues(new Uint8Array(900))).toString('base64');
  const call = shared.world.as(agent);
  await call.put(`/api/notes/${id}`).send({ content: first }).expect(201);
  for (let index = 0; index < 300; index += 1) {
    const text = Buffer.from(crypto.getRandomValues(new Uint8Array(60))).toString('base64');
    await append(shared, id, { by: agent, text: `${text}\n` }).expect(200);
  }
  const { body } = await call.get(`/api/notes/${id}`);
  const { content, size } = body as { content: string; size: number };
  expect(size).toBeGreaterThan(20_000);
  const [sums] = await shared.query<{ bytes: number }>(
    'select sum(size)::integer as bytes from notes.note_revisions where note_id = $1',
    [id],
  );
  expect(sums?.bytes).toBeGreaterThan(100 * size);
  expect(await bytesOf(shared, id)).toBeLessThan(1.1 * size);
  await call.put(`/api/notes/${id}`).send({ content: 'closed' }).expect(200);
  expect(await bytesOf(shared, id)).toBeLessThan(1.1 * size);
  const half = await call.get(`/api/notes/${id}/revisions/151`).expect(200);
  const { content: middle, size: middleSize } = half.body as { content: string; size: number };
  expect([content.startsWith(middle), Buffer.byteLength(middle)]).toEqual([true, middleSize]);
}, 60_000);

it('a text whose only copy is in the note is not replaced by a release that does not know of it', async () => {
  const { agent } = aTeam();
  const { shared } = forms;
  const id = aNoteId();
  const call = shared.world.as(agent);
  await call
    .put(`/api/notes/${id}`)
    .send({ content: line(0).repeat(20) })
    .expect(201);
  await append(shared, id, { by: agent, text: 'more' }).expect(200);
  for (const statement of [
    `update notes.notes set revision = 3, content = 'other' where id = $1`,
    `update notes.notes set revision = 3, deleted_at = now() where id = $1`,
  ]) {
    await expect(shared.query(statement, [id])).rejects.toMatchObject({ code: '23514' });
  }
  await call.put(`/api/notes/${id}`).send({ content: 'other' }).expect(200);
  const { body } = await call.get(`/api/notes/${id}/revisions/2`).expect(200);
  expect(body).toMatchObject({ content: `${line(0).repeat(20)}more` });
});

it('a caller with grants finds a version whose text moves between the two statements of the read', async () => {
  const { agent, company } = aTeam();
  const { shared } = forms;
  const name = { id: aNoteId(), revision: 2 };
  const call = shared.world.as(agent);
  const content = line(0).repeat(20);
  const path = `/api/notes/${name.id}`;
  await call.put(path).send({ content, folder: 'seen' }).expect(201);
  await append(shared, name.id, { by: agent, text: 'more' }).expect(200);
  const [{ db } = { db: null }] = shared.world.deps;
  const find = (folder: string, before: () => Promise<unknown>) =>
    read(db as Db, { companyId: company, folders: [folder] }, (tx) =>
      findVersion(beforeTexts(tx, before), name, content.length * 2),
    );
  let moved = 0;
  const replace = async () => {
    moved += 1;
    await call.put(path).send({ content: 'other', folder: 'seen' }).expect(200);
  };
  expect(await find('seen/', replace)).toMatchObject({ revision: 2, content: `${content}more` });
  expect(moved).toBe(1);
  expect(await find('other/', replace)).toBeNull();
});

/** Does something before the statement that reads texts of later versions. */
const beforeTexts = (tx: CompanyTx, work: () => Promise<unknown>): CompanyTx => ({
  ...tx,
  query: async (statement, values, name) => {
    await (name === 'notes.texts-of-later-versions' && work());
    return tx.query(statement, values, name);
  },
});

it('nothing is written where the text of the newest version is not there', async () => {
  const { agent } = aTeam();
  const { shared } = forms;
  const id = aNoteId();
  const call = shared.world.as(agent);
  const content = line(0).repeat(20);
  await call.put(`/api/notes/${id}`).send({ content }).expect(201);
  await append(shared, id, { by: agent, text: 'more' }).expect(200);
  const gone = `delete from notes.note_revisions where note_id = $1 and revision = 2`;
  await shared.query(gone, [id]);
  await call.put(`/api/notes/${id}`).send({ content: 'other' }).expect(500);
  const { body } = await call.get(`/api/notes/${id}`).expect(200);
  expect(body).toMatchObject({ revision: 2, content: `${content}more` });
});

/** So many writes succeed between two killed ones, on a slow machine too. */
const successesMin = 3;

/** Ends connections of the service within their transactions, as a killed process would. */
const killWriters = async (
  { query }: Form,
  { isDone, successes }: { readonly isDone: () => boolean; readonly successes: () => number },
): Promise<number> => {
  let killed = 0;
  let next = successesMin;
  while (!isDone()) {
    await sleep(5);
    if (successes() < next) {
      continue;
    }
    const rows = await query<{ killed: boolean }>(
      `select pg_terminate_backend(pid) as killed from pg_stat_activity
       where datname = current_database() and usename = 'notes_app' and xact_start is not null
       order by random() limit 1`,
    );
    killed += rows.length;
    next = rows.length === 0 ? next : successes() + successesMin;
  }
  return killed;
};

it('every acknowledged version keeps its text beside other writers, while connections break', async () => {
  const { agent, run } = aTeam();
  const { shared } = forms;
  const ids = [aNoteId(), aNoteId()];
  const texts = new Map<string, string>();
  const keep = (id: string, { status, body }: { status: number; body: unknown }): void => {
    const { revision, content } = body as { revision: number; content: string };
    if (status === 200 || status === 201) {
      texts.set(`${id}/revisions/${revision}`, content);
    }
  };
  for (const id of ids) {
    const put = shared.world.as(agent).put(`/api/notes/${id}`);
    keep(id, await put.send({ content: line(0).repeat(20) }));
  }
  const writer = async (by: typeof agent, seed: number): Promise<void> => {
    for (let index = 0; index < 60; index += 1) {
      const id = ids[(index + seed) % ids.length] ?? '';
      const call = shared.world.as(by);
      const path = `/api/notes/${id}`;
      const isReplaced = index % 7 === seed;
      const content = `${seed} ${line(index)}`.repeat(15 + seed);
      keep(
        id,
        await (isReplaced
          ? call.put(path).send({ content })
          : append(shared, id, { by, text: `${line(index)}\n` })),
      );
    }
  };
  let isDone = false;
  const killing = killWriters(shared, { isDone: () => isDone, successes: () => texts.size });
  await Promise.all([0, 1, 2, 3].map((seed) => writer(seed % 2 === 0 ? agent : run, seed)));
  isDone = true;
  expect(await killing).toBeGreaterThan(0);
  expect(texts.size).toBeGreaterThan(40);
  for (const [path, content] of texts) {
    const { body } = await shared.world.as(agent).get(`/api/notes/${path}`);
    expect([path, (body as { content: string }).content === content]).toEqual([path, true]);
  }
}, 60_000);
