import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  badWords,
  overloadingWord,
  startEmbeddingsServer,
  until,
  type EmbeddingsServer,
} from '@commonplace/testkit';
import { bearer, type Api } from '../src/call-api.ts';
import { runAdmin } from '../src/run-script.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompanyKey, type CompanyKey } from '../src/world.ts';

const apiKey = 'key-of-the-embeddings-service';

let service: EmbeddingsServer;
let system: TestSystem;
let board: Api;
let acme: CompanyKey;
let other: CompanyKey;
/** Its id is after that of the first, so its notes come later in each pass. */
let later: CompanyKey;

beforeAll(async () => {
  service = await startEmbeddingsServer();
  system = await startTestSystem('local_trusted', {
    env: {
      EMBEDDINGS_URL: service.url,
      EMBEDDINGS_MODEL: 'stand-in',
      EMBEDDINGS_DIMENSIONS: String(service.dimensions),
      EMBEDDINGS_API_KEY: apiKey,
    },
  });
  board = system.as({});
  acme = await makeCompanyKey(board, 'Acme');
  other = await makeCompanyKey(board, 'Other');
  later = await makeCompanyKey(board, 'Later');
}, 120_000);
afterAll(async () => {
  await system.stop();
  await service.close();
});

const agent = ({ key }: CompanyKey = acme) => system.as(bearer(key));
const settingsPath = ({ companyId } = acme) => `/api/companies/${companyId}/search-settings`;
const switchTo = (embeddings: boolean, company = acme) =>
  board('PUT', settingsPath(company), { body: { embeddings } });
const write = async (title: string, content: string, company = acme): Promise<string> => {
  const id = randomUUID();
  const { status } = await agent(company)('PUT', `/api/notes/${id}`, { body: { title, content } });
  expect(status).toBe(201);
  return id;
};

type Found = {
  readonly items: { title: string; passages: object[] }[];
  ranking: string;
  nextCursor: string | null;
};
const search = async (q: string, more = ''): Promise<Found> => {
  const path = `/api/notes?match=best&q=${encodeURIComponent(q)}${more}`;
  return (await agent()('GET', path)).body as Found;
};
const titles = ({ items }: Found) => items.map(({ title }) => title);

type Settings = { embeddings: boolean; notes: { embedded: number; total: number } };
/** The number of notes with vectors once it is the expected one, or after half a minute. */
const embedded = async (expected: number, company = acme): Promise<number> => {
  let now = -1;
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const { notes } = (await board('GET', settingsPath(company))).body as Settings;
    now = notes.embedded;
    if (now === expected) {
      break;
    }
    await sleep(200);
  }
  return now;
};

/** Waits until the service was sent a text that contains another. */
const untilReceived = (part: string) =>
  until(async () => service.received.some((text) => text.includes(part)));

const query = 'ledger vessel voyage cargo';

describe('search by meaning', () => {
  let boatId: string;

  it('sends nothing before an owner switches it on, which agents may not', async () => {
    await write('five', 'ledger ledger ledger ledger ledger');
    await write('four', 'ledger ledger ledger ledger entry');
    await write('three', 'ledger ledger ledger entry entry');
    await write('two', 'ledger ledger entry entry entry');
    boatId = await write('boat', 'ledger boat entry entry entry');
    await write('secret of others', 'ledger of the others', other);
    const found = await search(query);
    expect(titles(found)).toEqual(['five', 'four', 'three', 'two', 'boat']);
    expect(found.ranking).toBe('lexical');
    expect((await agent()('PUT', settingsPath(), { body: { embeddings: true } })).status).toBe(403);
    expect(service.received).toEqual([]);
  });

  it('ranks by words and meaning once an owner has switched it on, which is recorded', async () => {
    const switched = await board('PUT', settingsPath(), { body: { embeddings: true } });
    expect(switched.body).toMatchObject({ embeddings: true, service: { model: 'stand-in' } });
    expect(await embedded(5)).toBe(5);
    const found = await search(query);
    expect(found.ranking).toBe('hybrid');
    expect(titles(found)).toEqual(['five', 'four', 'boat', 'three', 'two']);
    const first = await search(query, '&limit=4');
    const second = await search(query, `&limit=4&cursor=${first.nextCursor}`);
    expect([...titles(first), ...titles(second)]).toEqual(titles(found));
    const { body } = await board('GET', `/api/companies/${acme.companyId}/activity`);
    expect(JSON.stringify(body)).toContain('company.embeddings_enabled');
  });

  it('finds a note that has none of the words, and shows which part of it is similar', async () => {
    const content = '# Port\nA quiet year.\n# Fleet\nThe ship is in dock.';
    await write('port', content);
    await write('port of others', 'The ship of the others', other);
    expect(await embedded(6)).toBe(6);
    const { items, ranking } = await search('vessel voyage');
    expect(ranking).toBe('hybrid');
    const port = items.find(({ title }) => title === 'port');
    expect(port?.passages).toEqual([
      { text: '# Fleet\nThe ship is in dock.', fromLine: 3, toLine: 4, headings: ['Fleet'] },
    ]);
    expect(titles(await search('vessel voyage', '&folder=elsewhere'))).toEqual([]);
    expect(titles(await search('vessel voyage -dock'))).not.toContain('port');
    const { body } = await agent()('POST', '/api/context', { body: { query: 'vessel voyage' } });
    expect(JSON.stringify(body)).toContain('The ship is in dock.');
  });

  it('never sends the notes of a company that did not switch it on, and logs no key', () => {
    expect(service.received.join('\n')).not.toContain('others');
    expect([...service.authorizations]).toEqual([`Bearer ${apiKey}`]);
    expect(system.output()).not.toContain(apiKey);
  });

  it('leaves out texts that the service refuses, fails at or has no vector of, and no other of any company', async () => {
    expect((await switchTo(true, later)).status).toBe(200);
    for (const [fault, word] of Object.entries(badWords)) {
      await write(fault, `# Bad\n${word}\n# Good\nThe ship is in dock.`);
    }
    await write('after them', 'a note about a garden');
    await write('of a company after it', 'a note about a garden', later);
    expect(await embedded(10)).toBe(10);
    expect(await embedded(1, later)).toBe(1);
    const { items } = await search('vessel voyage');
    expect(items.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['port', ...Object.keys(badWords)]),
    );
    const sent = service.received.length;
    await write('one more', 'a note about a garden');
    expect(await embedded(11)).toBe(11);
    expect(service.received).toHaveLength(sent + 1);
  }, 60_000);

  it('goes on with the notes of others when those of one company make it unavailable', async () => {
    const id = await write('overloading', overloadingWord);
    await write('of a company after it, too', 'a note about a garden', later);
    expect(await embedded(2, later)).toBe(2);
    expect((await agent()('DELETE', `/api/notes/${id}`)).status).toBe(204);
  }, 60_000);

  it.each(['error', 'garbage', 'wrong dimensions', 'silent'] as const)(
    'writes and searches by words while the service has the fault: %s',
    async (fault) => {
      service.fail(fault);
      await write(`during ${fault}`, 'budget of the year');
      const found = await search(`${query} ${fault}`);
      expect(found.ranking).toBe('lexical');
      expect(titles(found)).toContain('boat');
    },
  );

  it('catches up when the service is back', async () => {
    service.fail('none');
    expect(await embedded(15)).toBe(15);
  }, 60_000);

  it('deletes the vectors of a note with the note, also while the service is unavailable', async () => {
    service.fail('error');
    expect((await agent()('DELETE', `/api/notes/${boatId}`)).status).toBe(204);
    expect(await embedded(14)).toBe(14);
    service.fail('none');
  }, 60_000);

  it('is killed in the middle of writes and searches: none fails, and it catches up afterwards', async () => {
    const found: string[] = [];
    const searching = async (from: number) => {
      for (let count = 0; count < 10; count += 1) {
        const { ranking } = await search(`${query} number${from + count}`);
        found.push(ranking);
      }
    };
    const writing = async () => {
      for (let count = 0; count < 20; count += 1) {
        await write(`beside a kill ${count}`, `ledger entry ${count}`);
        if (count === 5) {
          await service.kill();
        }
      }
    };
    await Promise.all([writing(), searching(0), searching(100)]);
    expect((await search(`${query} afterwards`)).ranking).toBe('lexical');
    expect(found).toHaveLength(20);
    expect(new Set([...found, 'hybrid', 'lexical'])).toEqual(new Set(['hybrid', 'lexical']));
    await service.startAgain();
    expect(await embedded(34)).toBe(34);
  }, 90_000);

  it('the doctor has the service embed a word, and names what does not fit', async () => {
    const settings = { EMBEDDINGS_URL: service.url, EMBEDDINGS_MODEL: 'stand-in' };
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-key-'));
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'key-of-a-file\n');
    const examine = async (dimensions: number, more = {}) => {
      const { stdout } = await runAdmin('doctor', ['--json', '--url', 'http://127.0.0.1:9'], {
        DATA_DIR: '/nowhere',
        ...settings,
        ...more,
        EMBEDDINGS_DIMENSIONS: String(dimensions),
      });
      const findings = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
      return findings
        .filter(({ check }) => check === 'search by meaning')
        .map(({ state, detail }) => `${state}: ${detail}`)
        .join();
    };
    expect(await examine(service.dimensions)).toMatch(/^ok: .* embeds in 5 dimensions$/);
    const { dimensions } = service;
    expect(await examine(dimensions, { EMBEDDINGS_API_KEY_FILE: keyFile })).toMatch(/^ok: /);
    expect(service.authorizations).toContain('Bearer key-of-a-file');
    expect(await examine(dimensions, { EMBEDDINGS_API_KEY_FILE: '/nowhere/key' })).toMatch(
      /^skipped: .* cannot be read/,
    );
    await rm(folder, { recursive: true });
    expect(await examine(99)).toBe('failure: vectors of stand-in have 5 dimensions');
    service.fail('error');
    expect(await examine(service.dimensions)).toMatch(/^failure: .* responds with 500$/);
    service.fail('none');
  }, 60_000);

  it('sends nothing of a company that is switched off while the service is busy', async () => {
    const sections = (name: string) =>
      Array.from({ length: 40 }, (_, index) => `# ${name} ${index}\ntext`).join('\n');
    let release = service.hold();
    await write('busy', 'first', acme);
    await untilReceived('busy\nfirst');
    // The pass that has begun does not know these yet. The next one knows both companies.
    await write('waiting', 'text', later);
    await write('long', sections('Section'), acme);
    const releaseFirst = release;
    release = service.hold();
    releaseFirst();
    await untilReceived('Section 0');
    await Promise.all([switchTo(false, later), switchTo(false, acme)]);
    await write('written afterwards', 'text', later);
    release();
    // Only the next pass knows a company that is switched on now.
    await switchTo(true, other);
    expect(await embedded(2, other)).toBe(2);
    const received = service.received.join('\n');
    expect(received).not.toContain('waiting');
    expect(received).not.toContain('written afterwards');
    expect(received).not.toContain('Section 39');
    await switchTo(true, acme);
    expect(await embedded(36)).toBe(36);
  }, 60_000);

  it('keeps no process from stopping, which gives its companies back to the next one', async () => {
    const pidOfNotes = () => system.system.processes.find(({ name }) => name === 'notes')?.pid;
    const release = service.hold();
    await write('beside a stop', 'text');
    await untilReceived('beside a stop');
    const pid = pidOfNotes() ?? 0;
    process.kill(pid, 'SIGTERM');
    // After 25 s it would be killed.
    await until(() => pidOfNotes() !== pid, 22);
    release();
    await until(async () => (await board('GET', settingsPath())).status === 200);
    expect(await embedded(37)).toBe(37);
  }, 90_000);

  it('deletes all vectors when it is switched off, and sends nothing more', async () => {
    const { body } = await board('PUT', settingsPath(), { body: { embeddings: false } });
    expect(body).toMatchObject({ embeddings: false, notes: { embedded: 0 } });
    const sent = service.received.length;
    await write('afterwards', 'ledger');
    expect((await search(`${query} afterwards`)).ranking).toBe('lexical');
    expect(service.received).toHaveLength(sent);
  });
});
