import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@commonplace/client';
import { runWith, startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';

// Some tests start the program several times, which takes seconds on a busy machine.
jest.setTimeout(120_000);

let environment: NotesEnvironment;
beforeAll(async () => {
  environment = await startNotesEnvironment();
}, 120_000);
afterAll(() => environment.stop());

const json = (text: string): unknown => JSON.parse(text);

describe('commonplace notes write', () => {
  it('creates a note from standard input, and `notes read` prints exactly its content', async () => {
    const { run, runAlone } = await environment.company();
    const text = '# Plan\n\nfirst line\n';
    const wrote = await runAlone(['notes', 'write', 'projects/Plan', '--tag', 'go'], text);
    expect([wrote.code, wrote.stdout]).toEqual([0, '']);
    const printed = { code: 0, stdout: text, stderr: '' };
    expect(await runAlone(['notes', 'read', 'projects/Plan'])).toEqual(printed);
    for (const name of ['plan', 'Plan']) {
      expect(await run(['notes', 'read', name])).toEqual(printed);
    }
    const read = json((await run(['notes', 'read', 'projects/Plan', '--json'])).stdout);
    expect(read).toMatchObject({ folder: 'projects', tags: ['go'], revision: 1, content: text });
  });

  it('overwrites nothing unread: without a revision, or with an old one, it exits with 4', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--tag', 'go', '--text', 'one']);
    const exists = await run(['notes', 'write', 'PLAN', '--text', 'two']);
    expect([exists.code, exists.stderr]).toEqual([4, expect.stringContaining('--revision 1')]);
    expect((await run(['notes', 'write', 'Plan', '-r', '1', '--text', 'two'])).code).toBe(0);
    const stale = await run(['notes', 'write', 'Plan', '-r', '1', '--text', 'three', '--json']);
    expect(stale.code).toBe(4);
    expect(json(stale.stderr)).toMatchObject({ error: { code: 'precondition_failed' } });
    const kept = json((await run(['notes', 'read', 'Plan', '--json'])).stdout);
    expect(kept).toMatchObject({ content: 'two', tags: ['go'], revision: 2 });
  });
});

describe('text that is not UTF-8', () => {
  it('is refused from a file and from standard input, and nothing is stored', async () => {
    const { runAlone: run, notes } = await environment.company();
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-latin1-'));
    const file = join(folder, 'latin1.txt');
    await writeFile(file, Buffer.from('caf\u00e9\n', 'latin1'));
    const refused = await run(['notes', 'write', 'Cafe', '--file', file]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is not UTF-8')]);
    expect(await notes()).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

describe('standard input without a byte, as of a command that failed before the pipe', () => {
  it('is refused and changes nothing; an empty text is an argument', async () => {
    const { run } = await environment.company();
    const written = await run(['notes', 'write', 'plan', '--json', '--text', '# A\nkeep\n']);
    const { revision } = JSON.parse(written.stdout) as { revision: number };
    for (const args of [
      ['notes', 'edit', 'plan', '--find', 'keep'],
      ['notes', 'edit', 'plan', '--section', 'A'],
      ['notes', 'write', 'plan', '--revision', `${revision}`],
      ['notes', 'write', 'other', '--file', '-'],
    ]) {
      const refused = await run(args, '');
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('standard input is empty'),
      ]);
    }
    expect((await run(['notes', 'read', 'plan'])).stdout).toBe('# A\nkeep\n');
    await run(['notes', 'edit', 'plan', '--find', 'keep\n', '--with', '']);
    expect((await run(['notes', 'read', 'plan'])).stdout).toBe('# A\n');
  });
});

describe('commonplace notes append', () => {
  it('by many writers at once, to a note that none of them has created, keeps every line once', async () => {
    const { run, runAlone } = await environment.company();
    const lines = Array.from({ length: 6 }, (_, index) => `line ${index}`);
    const ran = await Promise.all(
      lines.map((line) => runAlone(['notes', 'append', 'log/Journal', '--create', '--text', line])),
    );
    expect(ran.map(({ code }) => code)).toEqual(lines.map(() => 0));
    const { stdout } = await run(['notes', 'read', 'log/Journal']);
    expect(stdout.trim().split('\n').toSorted()).toEqual(lines);
  });

  it('that creates a note makes one version, with the text', async () => {
    const { run } = await environment.company();
    const append = ['notes', 'append', 'log/First', '--create', '--text'];
    const first = await run([...append, 'one', '--json']);
    expect(JSON.parse(first.stdout)).toMatchObject({ revision: 1 });
    expect((await run(['notes', 'read', 'log/First'])).stdout).toBe('one\n');
    expect((await run([...append, 'two'])).stderr).toContain('revision 2');
    expect((await run(['notes', 'read', 'log/First'])).stdout).toBe('one\ntwo\n');
  });
});

describe('commonplace notes edit', () => {
  it('adds to a section, renames with the links, and says what changed', async () => {
    const { run } = await environment.company();
    const edit = (options: readonly string[], input?: string) =>
      run(['notes', 'edit', 'Plan', ...options], input);
    await run(['notes', 'write', 'Plan'], '# Plan\n## Risks\nnone\n## Later\n');
    await run(['notes', 'write', 'Index'], 'See [[Plan]].\n');
    const added = await edit(['--append-to', 'Risks', '--show-changes'], 'rain\n');
    expect(added.stderr).toContain('line 4: +2 -0');
    const first = await edit(['--prepend-to', 'Risks', '--since-revision', '1'], 'snow\n');
    expect(first.stderr).toContain('changed since you read it (+2 -0 lines):');
    expect(first.stderr).toContain('revision 2 at ');
    const unchanged = await edit(['--pin', 'yes', '--since-revision', '3', '--json']);
    expect(json(unchanged.stdout)).toMatchObject({
      revision: 4,
      changed: { lines: [], since: {} },
    });
    const alone = await edit(['--update-links', '--pin', 'no']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--title')]);
    const renamed = await edit(['--title', 'The plan', '--update-links']);
    expect(renamed.stderr).toContain('links changed in 1 note');
    expect((await run(['notes', 'read', 'Index'])).stdout).toBe('See [[The plan]].\n');
    const { stdout } = await run(['notes', 'read', 'The plan']);
    expect(stdout).toBe('# Plan\n## Risks\nsnow\n\nnone\n\nrain\n## Later\n');
  });

  it('changes a text, a section and fields, and says when an edit does not fit', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan'], '# Plan\nold\n## Risks\nnone\n');
    expect((await run(['notes', 'edit', 'Plan', '--find', 'old', '--with', 'new'])).code).toBe(0);
    expect((await run(['notes', 'edit', 'Plan', '--section', 'Risks'], 'many\n')).code).toBe(0);
    const fields = ['--title', 'The plan', '--folder', 'a/b', '--add-tag', 'x', '--pin', 'yes'];
    expect((await run(['notes', 'edit', 'Plan', ...fields])).code).toBe(0);
    const read = json((await run(['notes', 'read', 'a/b/The plan', '--json'])).stdout);
    const expected = { content: '# Plan\nnew\n## Risks\nmany\n', tags: ['x'], pinned: true };
    expect(read).toMatchObject(expected);
    const misfit = await run([
      'notes',
      'edit',
      'The plan',
      '--find',
      'old',
      '--with',
      '',
      '--json',
    ]);
    expect(misfit.code).toBe(4);
    expect(json(misfit.stderr)).toMatchObject({ error: { code: 'edit_not_applicable', found: 0 } });
    const stale = await run(['notes', 'edit', 'The plan', '--pin', 'no', '--revision', '1']);
    expect(stale.code).toBe(4);
  });

  it('refuses a text for which it has no place, and takes one from a file', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan'], '# Plan\nold\n');
    for (const [options, problem] of [
      [['--title', 'Diary', '--text', 'lost'], '--text and --file need one of --find'],
      [['--pin', 'yes', '--file', '/nowhere'], '--text and --file need one of --find'],
      [['--find', 'old', '--with', 'new', '--text', 'lost'], 'only one of --with, --text'],
      [['--prepend', '--text', 'lost', '--file', '/nowhere'], 'only one of --text and --file'],
    ] as const) {
      const { code, stderr } = await run(['notes', 'edit', 'Plan', ...options]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    }
    const folder = await mkdtemp(join(tmpdir(), 'commonplace-edit-'));
    await writeFile(join(folder, 'text'), 'from a file\n');
    const added = await run(['notes', 'edit', 'Plan', '--prepend', '-f', join(folder, 'text')]);
    await rm(folder, { recursive: true });
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('revision 2')]);
    expect((await run(['notes', 'read', 'Plan'])).stdout).toContain('from a file\n');
  });
});

describe('commonplace notes list, search and links', () => {
  it('list by folder, tag and page size, and say that there is more', async () => {
    const { run } = await environment.company();
    for (const name of ['a/One', 'a/Two', 'Three']) {
      await run(['notes', 'write', name, '--text', name, '--tag', 't']);
    }
    const folder = await run(['notes', 'list', 'a']);
    expect(folder.stdout).toMatch(/^[\w-]{36} {2}\S+ \S+ {2}a\/Two #t\n[\w-]{36}.* a\/One #t\n$/);
    const short = await run(['notes', 'list', '--tag', 't', '-n', '2', '--json']);
    expect(json(short.stdout)).toMatchObject({ items: [{}, {}], hasMore: true });
    expect((await run(['notes', 'list', '-n', '2'])).stderr).toContain('raise --limit');
  });

  it('by an author leave out what others changed last', async () => {
    const { run, key } = await environment.company();
    await run(['notes', 'write', 'Mine', '--text', 'boiling water']);
    const { data } = await createClient({ baseUrl: environment.baseUrl, credential: key }).get(
      '/api/agents/me',
    );
    for (const author of ['me', data.id]) {
      expect((await run(['notes', 'list', '--author', author])).stdout).toContain('Mine');
      expect((await run(['notes', 'search', 'boiling', '--author', author])).code).toBe(0);
    }
    const nobody = ['--author', crypto.randomUUID()];
    expect(await run(['notes', 'list', ...nobody])).toMatchObject({ code: 0, stdout: '' });
    expect((await run(['notes', 'search', 'boiling', ...nobody])).code).toBe(3);
    expect((await run(['notes', 'list', '--author', 'Mine'])).code).toBe(2);
  });

  it('since a day or a time with its zone, as the help has it; another time is refused', async () => {
    const { run, companyId, api } = await environment.company();
    await run(['notes', 'write', 'Today', '--text', 'x']);
    const since = (time: string) => run(['notes', 'list', '--since', time]);
    for (const time of ['2026-11-23', '2026-11-23T08:00:00Z', '2026-11-23T08:00+01:00']) {
      expect(await since(time)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Today'),
      });
    }
    expect(await since('2999-01-01')).toMatchObject({ code: 0, stdout: '' });
    for (const time of ['yesterday', '2026-02-30', '2026-11-23T08:00:00', '2026-11-23T25:00:00Z']) {
      const refused = await since(time);
      expect([time, refused.code, refused.stderr]).toEqual([
        time,
        2,
        expect.stringContaining('--since must be a day or a time with its zone'),
      ]);
    }
    const { data: agent } = await api.get('/api/agents/me');
    const operator = environment.runWith({ COMMONPLACE_URL: environment.baseUrl });
    const source = ['undo', '--agent', agent.id, '--since', '2026-11-23T08:00:00Z', '--dry-run'];
    const dry = await operator([...source, '--company', companyId]);
    expect(dry.stdout).toContain(': 1 removed');
  });

  it('find text with its place, and exit with 3 when nothing matches', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Findings', '--text', 'Water boils at 100 degrees.']);
    const found = await run(['notes', 'search', 'water', 'boils']);
    expect(found.stdout).toMatch(/^Findings {2}[\w-]{36}\n {2}⟦Water⟧ ⟦boils⟧ at 100 degrees\.\n$/);
    expect(await run(['notes', 'search', 'glaciers'])).toEqual({ code: 3, stdout: '', stderr: '' });
  });

  it('print links in both directions, and links to notes that do not exist', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Hub', '--text', 'See [[Spoke]] and [[Nowhere]].']);
    await run(['notes', 'write', 'Spoke', '--text', 'Back to [[Hub]].']);
    const { stdout } = await run(['notes', 'links', 'Hub']);
    expect(stdout).toMatch(/-> Spoke {2}[\w-]{36}\n-> Nowhere {2}no such note\n<- Spoke .*Back to/);
  });

  it('print the links that lead to no note, of all notes or of a folder', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'a/Hub', '--text', 'See [[Nowhere]].']);
    await run(['notes', 'write', 'b/Hub', '--text', 'See [[Hub]] and [[Lost]].']);
    const broken = async (...folder: string[]) =>
      (await run(['notes', 'links', '--broken', ...folder])).stdout.split('\n').toSorted();
    const inA = expect.stringMatching(/^[\w-]{36} {2}a\/Hub -> Nowhere$/);
    const inB = expect.stringMatching(/^[\w-]{36} {2}b\/Hub -> Lost$/);
    expect(await broken()).toHaveLength(3);
    expect(await broken()).toEqual(expect.arrayContaining([inA, inB]));
    expect(await broken('--folder', 'b/')).toEqual(['', inB]);
    const asJson = await run(['notes', 'links', '--broken', '--folder', 'a', '--json']);
    expect(json(asJson.stdout)).toMatchObject({
      items: [{ title: 'Nowhere', note: { folder: 'a' } }],
      hasMore: false,
      isComplete: expect.any(Boolean),
    });
    for (const args of [[], ['Hub', '--broken'], ['Hub', '--folder', 'a']]) {
      expect((await run(['notes', 'links', ...args])).code).toBe(2);
    }
  });
});

describe('a part of a long note', () => {
  it('is printed with the place where the rest begins', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Long', '--text', '0123456789']);
    const first = await run(['notes', 'read', 'Long', '--max-bytes', '4']);
    expect([first.stdout, first.stderr]).toEqual(['0123', expect.stringContaining('--from 4')]);
    expect((await run(['notes', 'read', 'Long', '--from', '4'])).stdout).toBe('456789');
  });
});

describe('the content of a note', () => {
  it('comes out of a pipe as it is: parts of it are the whole, and it can be written again', async () => {
    const { run } = await environment.company();
    const content = 'abcdefghij\nklm\u00e9opqrst\r\n\ufefflast';
    await run(['notes', 'write', 'Log'], content);
    let [parts, from] = ['', 0];
    for (const maxBytes of [5, 9, 300]) {
      const window = ['--from', String(from), '--max-bytes', String(maxBytes)];
      const { stdout } = await run(['notes', 'read', 'Log', ...window]);
      parts += stdout;
      from += Buffer.byteLength(stdout);
    }
    expect(parts).toBe(content);
    expect((await run(['notes', 'read', 'Log'])).stdout).toBe(content);
    expect((await run(['notes', 'read', 'Log', '--revision', '1'])).stdout).toBe(content);
  });
});

describe('commonplace whoami and context', () => {
  it('say who the caller is, and give its cursor for the next context', async () => {
    const { run, companyId } = await environment.company();
    const who = await run(['whoami', '--json']);
    expect(json(who.stdout)).toMatchObject({ name: 'Ada', companyId, credential: { kind: 'key' } });
    expect((await run(['whoami'])).stdout).toMatch(/^agent +Ada \(researcher\), active\n/);
    await run(['notes', 'write', 'Rules', '--pinned', '--text', 'Be brief.']);
    const context = await run(['context', '--query', 'rules']);
    expect(context.stdout).toContain('### Rules');
    const cursor = /--since (\S+)/.exec(context.stderr)?.[1] ?? '';
    const next = await run(['context', '--since', cursor, '--json']);
    expect(json(next.stdout)).toMatchObject({
      agent: { name: 'Ada' },
      notes: [{ title: 'Rules' }],
    });
  });
});

describe('exit codes', () => {
  it('distinguish wrong arguments (2), denied access (5) and an unavailable server (6)', async () => {
    const { run, runAlone, key } = await environment.company();
    for (const args of [
      ['notes', 'read'],
      ['notes', 'list', '--nope'],
      ['notes', 'nope'],
    ]) {
      expect([args, (await run(args)).code]).toEqual([args, 2]);
    }
    expect((await runAlone(['nope'])).code).toBe(2);
    const url = { COMMONPLACE_URL: environment.baseUrl };
    expect((await environment.runWith(url)(['whoami'])).code).toBe(2);
    const foreign = await runWith({
      SERVICE_BASE_URL: environment.baseUrl,
      SERVICE_API_KEY: 'x.y.z',
    })(['whoami']);
    expect(foreign.code).toBe(5);
    const nowhere = { COMMONPLACE_URL: 'http://127.0.0.1:9', COMMONPLACE_API_KEY: key };
    const away = await runWith(nowhere)(['whoami', '--json']);
    expect([away.code, json(away.stderr)]).toEqual([6, { error: expect.objectContaining({}) }]);
    const unanswered = await environment.runWith(nowhere)(['whoami']);
    expect(unanswered.stderr).toContain('the address is http://127.0.0.1:9 (COMMONPLACE_URL)');
  });
});

describe('commonplace usage report', () => {
  it('is repeated with one mutationId until the server is there again', async () => {
    const { key } = await environment.company();
    const reported: unknown[] = [];
    const server = createServer((request, response) => {
      void readAll(request).then((body) => {
        reported.push(JSON.parse(body));
        // More than the attempts of the client.
        const isThere = reported.length > 5;
        response.writeHead(isThere ? 200 : 503, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ total: { costCents: 12, inputTokens: 0, outputTokens: 0 } }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const run = environment.runWith({
      COMMONPLACE_URL: `http://127.0.0.1:${port}`,
      COMMONPLACE_API_KEY: key,
    });
    const report = ['usage', 'report', '--run', crypto.randomUUID(), '--cost-cents', '12'];
    const { code, stderr } = await run(report);
    server.close();
    expect([code, stderr]).toEqual([0, expect.stringContaining('retrying')]);
    expect(reported).toHaveLength(6);
    expect(new Set(reported.map((body) => JSON.stringify(body))).size).toBe(1);
  });
});

describe('what is wrong', () => {
  it('names the headings that a note has, and how often a text occurs', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', '# Plan\n\n## Risks\n\nice, ice\n']);
    const section = await run(['notes', 'edit', 'Plan', '--append-to', 'Nope', '--text', 'x']);
    expect([section.code, section.stderr]).toEqual([
      4,
      expect.stringContaining('\n  its headings: "Plan" (line 1), "Plan/Risks" (line 3)\n'),
    ]);
    const twice = await run(['notes', 'edit', 'Plan', '--find', 'ice', '--with', 'fog']);
    expect([twice.code, twice.stderr]).toEqual([4, expect.stringContaining('\n  --count 2 ')]);
    const never = await run(['notes', 'edit', 'Plan', '--find', 'snow', '--with', 'fog']);
    expect([never.code, never.stderr]).toEqual([4, expect.not.stringContaining('--count')]);
  });

  it('names the option that says which company an operator of several means', async () => {
    await environment.company();
    await environment.company();
    const operator = environment.runWith({ COMMONPLACE_URL: environment.baseUrl });
    const undone = await operator(['undo', '--run', crypto.randomUUID()]);
    expect([undone.code, undone.stderr]).toEqual([2, expect.stringContaining('--company <id>')]);
  });

  it('is not dropped: an empty id is none, and an agent names no other company', async () => {
    const { run, companyId } = await environment.company();
    const operator = environment.runWith({ COMMONPLACE_URL: environment.baseUrl });
    const list = ['proposals', 'list', '--company'];
    for (const args of [
      ['undo', '--run', '', '--key', crypto.randomUUID(), '--company', companyId],
      [...list, companyId, '--run', ''],
      [...list, ''],
    ]) {
      expect((await operator(args)).code).not.toBe(0);
    }
    expect((await run([...list, companyId])).code).toBe(0);
    expect((await run([...list, crypto.randomUUID()])).code).toBe(5);
  });
});

describe('commonplace undo', () => {
  it('takes back what an agent wrote, as the local operator, after a dry run', async () => {
    const { run, companyId, api } = await environment.company();
    const operator = environment.runWith({ COMMONPLACE_URL: environment.baseUrl });
    const since = new Date(Date.now() - 60_000).toISOString();
    await run(['notes', 'write', 'Wrong', '--text', 'nonsense']);
    const { data: agent } = await api.get('/api/agents/me');
    const args = ['undo', '--agent', agent.id, '--since', since, '--company', companyId];
    const dry = await operator([...args, '--dry-run']);
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toMatch(/^removed {6}Wrong {2}\S+\ndry run \S+: 1 removed\n$/);
    const undone = json((await operator([...args, '--json'])).stdout);
    expect(undone).toMatchObject({ status: 'succeeded', outcomes: { removed: 1 } });
    expect((await run(['notes', 'read', 'Wrong'])).code).toBe(3);
    const denied = await operator(['undo', '--run', 'x', '--key', 'y']);
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringContaining('name one of')]);
  });

  it('says to which version of whom a note goes back, and how many of others stay', async () => {
    const { run, companyId, api } = await environment.company();
    const operator = runWith({ COMMONPLACE_URL: environment.baseUrl });
    const inCompany = ['--company', companyId];
    await run(['notes', 'write', 'Plan', '--text', 'one\n']);
    const since = new Date().toISOString();
    await run(['notes', 'append', 'Plan', '--text', 'two']);
    const { data: agent } = await api.get('/api/agents/me');
    const source = ['--agent', agent.id, '--since', since];
    const dry = await operator(['undo', ...source, '--dry-run', ...inCompany]);
    expect(dry.stdout).toMatch(
      /^undone {7}Plan {2}\S+\n {13}back to revision 1 by Ada, \d{4}-\d\d-\d\d \d\d:\d\d\ndry run /,
    );
  });
});

describe('commonplace proposals', () => {
  it('lists, shows, accepts and rejects what an agent proposes, as the local operator', async () => {
    const { run, companyId, api } = await environment.company();
    const operator = environment.runWith({ COMMONPLACE_URL: environment.baseUrl });
    const decide = (...args: string[]) => operator([...args, '--company', companyId]);
    await run(['notes', 'write', 'plans/Plan', '--text', 'one']);
    const { data: agent } = await api.get('/api/agents/me');
    const board = createClient({ baseUrl: environment.baseUrl });
    const grants = [{ folder: 'plans', scope: 'any' as const, mode: 'propose' as const }];
    const params = { path: { agentId: agent.id } };
    await board.patch('/api/agents/{agentId}', { params, body: { grants } });
    // Changed grants hold within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const why = ['--reason', 'the vendor moved'];
    const proposed = await run(['notes', 'append', 'plans/Plan', '--text', 'two', ...why]);
    expect([proposed.code, proposed.stderr]).toEqual([
      0,
      expect.stringContaining('proposed, not yet applied'),
    ]);
    const created = json(
      (await run(['notes', 'write', 'plans/New', '--text', 'x', '--json', ...why])).stdout,
    );
    expect(created).toMatchObject({
      proposal: { state: 'open', title: 'New', reason: 'the vendor moved' },
    });
    const { items } = json((await decide('proposals', 'list', '--json')).stdout) as {
      items: readonly { readonly id: string; readonly title: string }[];
    };
    const first = await decide('proposals', 'list', '--limit', '1');
    expect(first.stderr).toContain('there are more proposals than these 1: raise --limit');
    const page = json((await decide('proposals', 'list', '-n', '1', '--json')).stdout);
    expect(page).toMatchObject({ items: [{ title: 'New' }], hasMore: true, open: 2 });
    const idOf = (title: string) => String(items.find((each) => each.title === title)?.id);
    const shown = (await decide('proposals', 'show', idOf('Plan'))).stdout;
    expect(shown).toContain('+onetwo');
    expect(shown).toContain('the vendor moved');
    expect((await run(['notes', 'read', 'plans/Plan'])).stdout).toBe('one');
    expect((await decide('proposals', 'accept', idOf('Plan'))).code).toBe(0);
    expect((await run(['notes', 'read', 'plans/Plan'])).stdout).toBe('onetwo\n');
    const reject = ['proposals', 'reject', idOf('New')];
    expect((await decide(...reject)).code).toBe(2);
    expect((await decide(...reject, '--reason', 'no')).code).toBe(0);
    expect((await decide(...reject, '--reason', 'no')).code).toBe(4);
    expect((await run(['proposals', 'list', '--state', 'rejected'])).stdout).toContain('New');
    // Many appends to a note that is not there yet are one proposal.
    for (const text of ['first', 'second', 'third']) {
      const appended = await run(['notes', 'append', 'plans/Log', '--text', text, '--create']);
      expect([appended.code, appended.stderr]).toEqual([
        0,
        expect.stringContaining('proposed, not yet applied'),
      ]);
    }
    const { items: ofLog } = json((await decide('proposals', 'list', '--json')).stdout) as {
      items: readonly { readonly id: string; readonly title: string }[];
    };
    expect(ofLog.map(({ title }) => title)).toEqual(['Log']);
    expect((await decide('proposals', 'accept', String(ofLog[0]?.id))).code).toBe(0);
    expect((await run(['notes', 'read', 'plans/Log'])).stdout).toBe('first\nsecond\nthird\n');
  });
});
