import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
import type { Schema, SyncClient } from '@commonplace/client';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import {
  connectByScript,
  refreshByScript,
  sendTo,
  type ScriptedConnection,
} from '../src/connect-by-script.ts';
import { ping } from '../src/repeat-request.ts';
import { runAdmin } from '../src/run-script.ts';
import { whenAvailable } from '../src/when-available.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/**
 * One story, in the order it happens: a backup of a system at work, a future that is lost, a restore, and
 * what those who lived in that future find. PostgreSQL is the embedded one of a data directory.
 */
let folder: string;
let backup: string;
let system: RunningSystem;
let company: CompanyWorld;
let agent: Api;
let replica: SyncClient;
let connection: ScriptedConnection;
/** Connections that ended before the backup and after it. */
const ended: { before?: ScriptedConnection; after?: ScriptedConnection } = {};
const before = { id: randomUUID(), cursor: '' };
const undone = { id: randomUUID(), later: randomUUID(), written: randomUUID(), undoId: '' };
/** A note of which an earlier version was restored. */
const broughtBack = randomUUID();
/** A note that only grew: its versions have no text of their own. */
const grown = { id: randomUUID(), first: 'é line of a log\n'.repeat(100) };
const proposed = { note: randomUUID(), accepted: '', open: '' };
/** A note that had left the only folder of a narrow key before the backup, and one that came after it. */
const moved = { left: randomUUID(), came: randomUUID() };
let narrowKey: string;
/** When the last note before the backup was written. */
let backedUpAtMs: number;
let narrowReplica: SyncClient;
const lost = { cursor: '', etag: '', written: randomUUID(), pushed: randomUUID() };

const start = (): Promise<RunningSystem> =>
  startSystem({ dataDir: join(folder, 'data'), output: () => undefined, fsync: false });

const attemptsMax = 20;

/** A busy machine may return 503 right after a start; the test retries, as clients must. */
const patient =
  (once: Api): Api =>
  (...request) =>
    whenAvailable(() => once(...request), attemptsMax);

const connect = (): void => {
  agent = patient(createApi({ baseUrl: system.baseUrl, headers: bearer(company.key) }));
};

const run = (script: 'backup' | 'restore', ...args: string[]) =>
  runAdmin(script, args, { DATA_DIR: join(folder, 'data') });

const sync = (cursor: string | null) =>
  agent('POST', '/api/sync', { body: { clientId: 'curl', cursor } });

const cursorNow = async (): Promise<string> =>
  ((await sync(null)).body as { cursor: string }).cursor;

const put = (id: string, title: string, headers: Record<string, string> = {}) =>
  agent('PUT', `/api/notes/${id}`, { body: { title, content: awkward }, headers });

/** What a ranked search finds, with its rank. */
const ranked = async () => {
  const { items } = (
    await agent('GET', '/api/notes?match=best&q=which%20heron%20waits%20at%20dawn')
  ).body as { readonly items: readonly { readonly title: string; readonly rank: number }[] };
  return items.map(({ title, rank }) => `${title} ${rank.toFixed(3)}`);
};
let rankedBefore: readonly string[] = [];

const asBoard = () =>
  patient(createApi({ baseUrl: system.baseUrl, headers: { 'x-company-id': company.companyId } }));

/** Adds a line to a note, as a proposal of the agent. Returns its id. */
const propose = async (text: string): Promise<string> => {
  const grants = [{ folder: '', scope: 'any', mode: 'propose' }];
  const path = `/api/agents/${company.agentId}/runs`;
  const { token } = (await asBoard()('POST', path, { body: { grants } })).body as { token: string };
  const run = patient(createApi({ baseUrl: system.baseUrl, headers: bearer(token) }));
  const body = { edits: [{ op: 'append', text }] };
  const made = await run('PATCH', `/api/notes/${proposed.note}`, { body });
  expect(made.status).toBe(202);
  return (made.body as { proposal: { id: string } }).proposal.id;
};
const accept = (id: string) => asBoard()('POST', `/api/notes/proposals/${id}/accept`, { body: {} });

/** Undoes what the source wrote in notes, and waits for the end. */
const undo = async (source: object, noteIds: readonly string[]) => {
  const headers = { 'x-company-id': company.companyId };
  const board = patient(createApi({ baseUrl: system.baseUrl, headers }));
  const body = { ...source, noteIds, pause: false };
  const { id } = (await board('POST', '/api/notes/undo', { body })).body as { id: string };
  for (;;) {
    const read = (await board('GET', `/api/notes/undo/${id}`)).body as {
      readonly finishedAt: string | null;
      readonly outcomes: object;
    };
    if (read.finishedAt !== null) {
      return { id, outcomes: read.outcomes };
    }
    await sleep(100);
  }
};

/** What COPY has to escape. */
const awkward = 'A \\ backslash, \\N, a\ttab, "quotes"\r\nand lines\n\\.\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-backup-'));
  // PostgreSQL runs as a user of its own when the tests run as root.
  await chmod(folder, 0o711);
  backup = join(folder, 'monday.backup');
  system = await start();
  const operator = patient(createApi({ baseUrl: system.baseUrl }));
  company = await makeCompany(operator, 'Restored', { ...system, withInvite: false });
  const made = await operator('POST', `/api/agents/${company.agentId}/keys`, {
    headers: { 'x-company-id': company.companyId },
    body: { name: 'narrow', grants: [{ folder: 'open', scope: 'any' }] },
  });
  narrowKey = (made.body as { key: string }).key;
  connect();
  replica = await replicaOf(company.key);
  narrowReplica = await replicaOf(narrowKey);
  await putIn(moved.left, 'open');
  await narrowReplica.synchronise();
  await putIn(moved.left, 'shut');
  await putIn(moved.came, 'shut');
  await put(before.id, 'Monday');
  await put(broughtBack, 'One');
  await put(broughtBack, 'Two');
  await agent('POST', `/api/notes/${broughtBack}/restore`, { body: { revision: 1 } });
  await agent('PUT', `/api/notes/${grown.id}`, { body: { content: grown.first } });
  await appendTo(grown.id, 'second\n');
  await appendTo(grown.id, 'third\n');
  await put(undone.id, 'Undone on Monday');
  await put(undone.later, 'Undone after the restore');
  await put(proposed.note, 'Proposed on Monday');
  proposed.accepted = await propose('accepted\n');
  await accept(proposed.accepted);
  proposed.open = await propose('open\n');
  const first = { edits: [{ op: 'prepend', text: 'of another\n' }] };
  await agent('PATCH', `/api/notes/${proposed.note}`, { body: first });
  await asBoard()('PUT', `/api/notes/${undone.written}`, { body: { content: awkward } });
  await put(undone.written, 'Undone to what the board wrote');
  undone.undoId = (await undo({ keyId: company.keyId }, [undone.id, undone.written])).id;
  for (const content of ['A heron waits.', 'The harbour at dawn, and a heron.', 'Herons.']) {
    await agent('PUT', `/api/notes/${randomUUID()}`, { body: { title: content, content } });
  }
  rankedBefore = await ranked();
  backedUpAtMs = Date.now();
  await replica.synchronise();
  before.cursor = await cursorNow();
  connection = await connectHost();
  ended.before = await connectHost(connection.clientId);
  await endConnection(ended.before);
  ended.after = await connectHost(connection.clientId);
}, 120_000);

/** A replica that outlives the servers it talks to, whose port changes. */
const replicaOf = (credential: string): Promise<SyncClient> => {
  const api = createClient({
    baseUrl: 'http://system.invalid',
    credential,
    fetch: (request) => fetch(movedTo(request)),
  });
  return openSyncClient({ api, store: createMemoryStore() });
};

const putIn = async (id: string, folderName: string): Promise<void> => {
  const body = { title: `In ${folderName}`, folder: folderName };
  expect([200, 201]).toContain((await agent('PUT', `/api/notes/${id}`, { body })).status);
};

const appendTo = (id: string, text: string) =>
  agent('PATCH', `/api/notes/${id}`, { body: { edits: [{ op: 'append', text }] } });

type Version = Schema<'NoteRevisionSummary'>;

/** The versions of a note, newest first. */
const versionsOf = async (id: string): Promise<readonly Version[]> =>
  ((await agent('GET', `/api/notes/${id}/revisions`)).body as { items: readonly Version[] }).items;

/** The texts of all versions of a note, the newest first. */
const textsOf = async (id: string): Promise<readonly string[]> => {
  const items = await versionsOf(id);
  const read = items.map(({ revision }) => agent('GET', `/api/notes/${id}/revisions/${revision}`));
  return (await Promise.all(read)).map(({ body }) => (body as { content: string }).content);
};

/** What a replica has, by title. */
const titlesIn = (held: SyncClient): string[] =>
  held
    .notes()
    .map(({ text }) => text.title)
    .toSorted();

/** Connects a host by OAuth as the agent, as one that registered before if it did. */
const connectHost = (clientId?: string): Promise<ScriptedConnection> =>
  connectByScript(sendTo(system.baseUrl), {
    headers: {},
    companyId: company.companyId,
    agentId: company.agentId,
    origin: system.baseUrl,
    ...(clientId === undefined ? {} : { clientId }),
  });

/** The ids of the company's connections that have not ended. */
const connections = async (): Promise<readonly string[]> => {
  const board = patient(createApi({ baseUrl: system.baseUrl }));
  const { body } = await board('GET', `/api/companies/${company.companyId}/connections`);
  const { items } = body as { items: { id: string; revokedAt: string | null }[] };
  return items.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
};

const endConnection = async ({ connectionId }: ScriptedConnection): Promise<void> => {
  const board = patient(createApi({ baseUrl: system.baseUrl }));
  expect((await board('DELETE', `/api/connections/${connectionId}`)).status).toBe(204);
};

const pingStatus = async ({ tokens }: ScriptedConnection): Promise<number> => {
  const host = patient(
    createApi({ baseUrl: system.baseUrl, headers: bearer(tokens.access_token) }),
  );
  return (await host('POST', '/connect/mcp', { body: ping })).status;
};

const movedTo = (request: Request): Request =>
  new Request(request.url.replace('http://system.invalid', system.baseUrl), request);

afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('pnpm backup', () => {
  it('backs up a running system into a file that only its owner may read', async () => {
    const ended = await run('backup', backup);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toMatch(/written and verified/);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
  }, 60_000);

  it('ignores the partial file of a killed backup', async () => {
    await (await open(`${backup}.2.part`, 'w')).close();
    await (await open(`${backup}.2.00000000.part`, 'w')).close();
    expect(await run('backup', `${backup}.2`)).toMatchObject({ exitCode: 0 });
  }, 60_000);

  it('without a file name writes beside the data, into a path that git ignores', async () => {
    const ended = await run('backup');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toContain(join(folder, 'data', 'backups', 'commonplace-'));
  }, 60_000);

  it('is recorded, also when it goes to standard output, and GET /api/instance shows the last one', async () => {
    const board = patient(createApi({ baseUrl: system.baseUrl }));
    const lastBackup = async () =>
      ((await board('GET', '/api/instance')).body as { readonly backup: unknown }).backup;
    expect(await lastBackup()).toMatchObject({ isVerified: true, bytes: expect.any(Number) });
    expect(await run('backup', '-')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await lastBackup()).toMatchObject({ isVerified: false, bytes: null });
  }, 60_000);

  it('replaces nothing: no earlier backup, link, folder or device, and says so', async () => {
    const link = join(folder, 'latest.backup');
    await symlink(backup, link);
    const before = await readFile(backup);
    for (const [path, why] of [
      [backup, 'exists and is left as it is'],
      [link, 'is a link and is left'],
      [folder, 'is a folder and is left'],
      ['/dev/null', 'is a device and is left'],
      [join(folder, 'missing', 'a.backup'), `there is no folder ${join(folder, 'missing')}`],
    ] as const) {
      const ended = await run('backup', path);
      expect([path, ended.exitCode]).toEqual([path, 1]);
      expect(ended.stderr).toMatch(/^No backup was made: [^\n]+\n$/);
      expect(ended.stderr).toContain(why);
    }
    expect((await readFile(backup)).equals(before)).toBe(true);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
    const left = (await readdir(folder)).filter((name) => name.startsWith('monday.backup.'));
    expect(left.toSorted()).toEqual([
      'monday.backup.2',
      'monday.backup.2.00000000.part',
      'monday.backup.2.part',
    ]);
  }, 60_000);

  it('refuses a data directory without a database, and creates none', async () => {
    const typo = join(folder, 'dtaa');
    const ended = await runAdmin('backup', [`${backup}.3`], {
      DATA_DIR: typo,
    });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/there is no database in .*dtaa. Is DATA_DIR right\?/);
    await expect(stat(typo)).rejects.toThrow('ENOENT');
    await expect(stat(`${backup}.3`)).rejects.toThrow('ENOENT');
  }, 60_000);
});

describe('pnpm restore', () => {
  it('refuses while the system runs', async () => {
    const ended = await run('restore', backup, '--force');
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/Another Commonplace .* uses/);
  }, 60_000);

  it('refuses a truncated file, one with a flipped bit, and one that is not a backup', async () => {
    await live();
    await system.stop();
    const { size } = await stat(backup);
    const broken = join(folder, 'broken.backup');
    await copyFile(backup, broken);
    await truncate(broken, size - 20);
    expect((await run('restore', broken, '--force')).stderr).toMatch(/cannot be restored/);
    await copyFile(backup, broken);
    const file = await open(broken, 'r+');
    const middle = Math.floor(size / 2);
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, middle);
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, middle);
    await file.close();
    expect((await run('restore', broken, '--force')).stderr).toMatch(/cannot be restored/);
    const foreign = await run('restore', join(folder, 'data', 'secrets.json'), '--force');
    expect(foreign.stderr).toMatch(/cannot be restored/);
    expect(foreign.exitCode).toBe(1);
  }, 120_000);

  it('refuses to replace data without --force, and says which', async () => {
    const ended = await run('restore', backup);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/holds data already \(.*notes\.notes.*--force/);
  }, 60_000);

  it('restores the backup, and the system starts on it', async () => {
    expect(await run('restore', backup, '--force')).toMatchObject({ exitCode: 0, stderr: '' });
    system = await start();
    connect();
    const restored = await agent('GET', `/api/notes/${before.id}`);
    expect(restored.body).toMatchObject({ title: 'Monday', content: awkward });
    expect((await agent('GET', `/api/notes/${lost.written}`)).status).toBe(404);
    expect(rankedBefore).toHaveLength(3);
    expect(await ranked()).toEqual(rankedBefore);
  }, 120_000);

  it('restores connections and clients, but no token: a host connects again as the same client', async () => {
    // One that was revoked before the backup stays so; of one that was revoked after it, no token comes back.
    const restored = [connection.connectionId, String(ended.after?.connectionId)].toSorted();
    expect((await connections()).toSorted()).toEqual(restored);
    for (const each of [connection, ended.before, ended.after]) {
      expect(each && (await pingStatus(each))).toBe(401);
    }
    const resource = `${system.baseUrl}/connect/mcp`;
    const { refresh_token: refreshToken } = connection.tokens;
    const asBefore = { clientId: connection.clientId, resource };
    const refused = await refreshByScript(sendTo(system.baseUrl), asBefore, refreshToken);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('invalid_grant')]);
    // A token of no use does not end what an operator consented to.
    expect((await connections()).toSorted()).toEqual(restored);
    const again = await connectHost(connection.clientId);
    expect(await pingStatus(again)).toBe(200);
    expect((await connections()).toSorted()).toEqual([again.connectionId, ...restored].toSorted());
  }, 60_000);

  it('has the proposals: one is accepted onto what others wrote, and a version names who accepted it', async () => {
    expect((await accept(proposed.open)).status).toBe(200);
    const { content } = (await agent('GET', `/api/notes/${proposed.note}`)).body as {
      readonly content: string;
    };
    expect(content).toBe(`of another\n${awkward}accepted\nopen\n`);
    const items = await versionsOf(proposed.note);
    const accepted = items.map(({ proposal }) => proposal?.proposalId);
    expect(accepted).toEqual([proposed.open, undefined, proposed.accepted, undefined]);
  }, 60_000);

  it('has the text of every version of a note that only grew, also after it is replaced', async () => {
    const [second, third] = [`${grown.first}second\n`, `${grown.first}second\nthird\n`];
    expect(await textsOf(grown.id)).toEqual([third, second, grown.first]);
    expect((await appendTo(grown.id, 'fourth\n')).status).toBe(200);
    await put(grown.id, 'Replaced');
    const versions = [awkward, `${third}fourth\n`, third, second, grown.first];
    expect(await textsOf(grown.id)).toEqual(versions);
  }, 60_000);

  it('knows which version a version restored', async () => {
    const items = await versionsOf(broughtBack);
    const first = items[2]?.revision;
    expect(items.map(({ restoredFrom }) => restoredFrom)).toEqual([first, undefined, undefined]);
  });

  it('knows what an undo before the backup wrote, and over which version: it is undone, and so is what was written before', async () => {
    const items = await versionsOf(undone.id);
    const revisions = [items[1]?.revision];
    expect(items[0]?.undoes).toEqual({ undoId: undone.undoId, revisions });
    const again = await undo({ undoId: undone.undoId }, [undone.id]);
    expect(again.outcomes).toMatchObject({ restored: 1 });
    expect((await agent('GET', `/api/notes/${undone.id}`)).body).toMatchObject({
      title: 'Undone on Monday',
      content: awkward,
    });
    const later = await undo({ keyId: company.keyId }, [undone.later]);
    expect(later.outcomes).toMatchObject({ removed: 1 });
    expect((await agent('GET', `/api/notes/${undone.later}`)).status).toBe(404);
    const read = await asBoard()('GET', `/api/notes/undo/${undone.undoId}?outcome=undone`);
    const { notes } = read.body as { readonly notes: readonly { readonly base: object }[] };
    const first = (await versionsOf(undone.written))[2];
    expect(notes).toMatchObject([{ base: { revision: first?.revision, othersSince: 0 } }]);
  }, 60_000);
});

/** More than the clocks of the server's processes may differ by. */
const clockSkewMs = 7000;

/** What happens between the backup and the disaster. */
const live = async (): Promise<void> => {
  if (ended.after) {
    await endConnection(ended.after);
  }
  await narrowReplica.synchronise();
  expect(titlesIn(narrowReplica)).toEqual([]);
  await putIn(moved.came, 'open');
  await narrowReplica.synchronise();
  expect(titlesIn(narrowReplica)).toEqual(['In open']);
  const written = await put(before.id, 'Tuesday');
  lost.etag = written.headers.get('etag') ?? '';
  await put(lost.written, 'Nobody else has it');
  await replica.edit([{ id: lost.pushed, text: { title: 'Pushed on Tuesday' } }]);
  // A replica takes the versions of a restored server to be older than its own only if clocks cannot explain the difference.
  await sleep(Math.max(0, backedUpAtMs + clockSkewMs - Date.now()));
  await replica.synchronise();
  await replica.edit([
    { id: before.id, text: { title: 'Wednesday', content: 'Written offline\n' } },
  ]);
  lost.cursor = await cursorNow();
};

describe('clients that were ahead of the backup', () => {
  it('get 410 for cursors from before and after the backup', async () => {
    for (const cursor of [lost.cursor, before.cursor]) {
      const response = await sync(cursor);
      expect(response).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
    }
  });

  it('find that no ETag of a lost revision matches another text', async () => {
    expect((await put(before.id, 'Over it', { 'if-match': lost.etag })).status).toBe(412);
    const read = await agent('GET', `/api/notes/${before.id}`, {
      headers: { 'if-none-match': lost.etag },
    });
    expect(read.status).toBe(200);
    expect((read.body as { revision: number }).revision).toBeGreaterThan(1_000_000);
  });

  it('push their outbox: a replica converges with the server and keeps its edits', async () => {
    expect(await replica.synchronise()).toMatchObject({ isServerRestored: true });
    expect(replica.pendingCount()).toBe(0);
    const { items } = (await agent('GET', '/api/notes')).body as {
      items: { id: string; title: string }[];
    };
    const onServer = items.map(({ id, title }) => `${id} ${title}`).toSorted();
    const onReplica = replica
      .notes()
      .map(({ id, text }) => `${id} ${text.title}`)
      .toSorted();
    expect(onReplica).toEqual(onServer);
    const titles = replica.notes().map(({ text }) => text.title);
    // The note of Tuesday was on the server only, and was lost with it.
    expect(titles).toEqual(expect.arrayContaining(['Wednesday', 'Pushed on Tuesday']));
  });
});

describe('a client with a narrow key that was ahead of the backup', () => {
  it('has what its folder has, and removals go on', async () => {
    await narrowReplica.synchronise();
    // A client of all folders has sent again what the server had lost.
    expect(titlesIn(narrowReplica)).toEqual(['In open']);
    for (const folderName of ['open', 'shut', 'open']) {
      await putIn(moved.left, folderName);
      await narrowReplica.synchronise();
      const expected = folderName === 'open' ? ['In open', 'In open'] : ['In open'];
      expect(titlesIn(narrowReplica)).toEqual(expected);
    }
  }, 60_000);
});

describe('pnpm restore --adopt', () => {
  const postgres = () => join(folder, 'data', 'postgres');

  it('refuses while the system runs', async () => {
    const ended = await run('restore', '--adopt');
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/Another Commonplace .* uses/);
  }, 60_000);

  it('adopts a copy of the disk: its notes are present, and no lost cursor or ETag matches', async () => {
    await system.stop();
    await shell('cp', '-a', postgres(), `${postgres()}.copy`);
    system = await start();
    connect();
    const unknown = randomUUID();
    await put(unknown, 'Written after the copy');
    const future = await cursorNow();
    const etag = (await put(before.id, 'Changed after the copy')).headers.get('etag') ?? '';
    await system.stop();
    await rm(postgres(), { recursive: true });
    await shell('mv', `${postgres()}.copy`, postgres());

    const adopted = await run('restore', '--adopt');
    expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    expect(adopted.stdout).toMatch(/every sync epoch is new/);
    system = await start();
    connect();
    expect((await agent('GET', `/api/notes/${before.id}`)).status).toBe(200);
    expect((await agent('GET', `/api/notes/${unknown}`)).status).toBe(404);
    expect(await sync(future)).toMatchObject({ status: 410, body: { code: 'cursor_expired' } });
    expect((await put(before.id, 'Over it', { 'if-match': etag })).status).toBe(412);
    await replica.synchronise();
    expect(replica.pendingCount()).toBe(0);
  }, 180_000);
});

describe('pnpm backup that is interrupted', () => {
  const pidFile = () => join(folder, 'data', 'postgres', 'pgdata', 'postmaster.pid');
  const pid = async (): Promise<number> =>
    Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);

  it('stops the PostgreSQL that it started, and leaves no partial file', async () => {
    await system.stop();
    const program = fileURLToPath(new URL('../../../packages/admin/src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [program, 'backup', `${backup}.interrupted`], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data') },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close');
    let server = 0;
    while (!(server > 0)) {
      await sleep(5);
      server = await pid().catch(() => 0);
    }
    child.kill('SIGINT');
    expect([await ended, stderr]).toEqual([
      [130, null],
      expect.stringContaining('Interrupted by SIGINT; nothing is left running.'),
    ]);
    expect(() => process.kill(server, 0)).toThrow('ESRCH');
    await expect(stat(pidFile())).rejects.toThrow('ENOENT');
    const names = await readdir(folder);
    expect(names.filter((name) => name.includes('interrupted'))).toEqual([]);
  }, 120_000);
});

/** Copies with owners and modes: PostgreSQL's files may belong to a user of its own. */
const shell = (program: string, ...args: string[]) => promisify(execFile)(program, args);
