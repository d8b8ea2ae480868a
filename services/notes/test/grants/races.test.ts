import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { identityHeaders } from '@commonplace/testkit';
import { callTool, startMcpService, type McpService } from '../mcp/mcp-client.ts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

const company = aCompany();
const grants: readonly NoteGrant[] = [
  { folder: 'a', scope: 'any', mode: 'direct' },
  { folder: 'r', scope: 'read', mode: 'direct' },
];
const wide = anAgent(company);
const narrow = { ...anAgent(company), grants };

let world: NotesWorld;
let server: Server;
let service: McpService;
beforeAll(async () => {
  world = await createNotesWorld();
  server = createServer(world.app()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  service = await startMcpService(world.app());
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  server.close();
  await world.close();
});

const put = (id: string, note: object) => world.as(wide).put(`/api/notes/${id}`).send(note);
const noteIn = async (folder: string, fields: object = {}): Promise<string> => {
  const id = aNoteId();
  await put(id, { title: 'N', folder, ...fields }).expect(201);
  return id;
};
const contentOf = async (id: string): Promise<unknown> =>
  (await world.as(wide).get(`/api/notes/${id}`)).body.content;

/** Sends the head of a PUT; returns how to complete it. */
const beginPut = async (id: string) => {
  const body = JSON.stringify({ title: 'mine', folder: 'a' });
  const req = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/api/notes/${id}`,
    headers: {
      ...(identityHeaders({ ...narrow, agentStatus: 'paused' }) as Record<string, string>),
      'if-match': '"9"',
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const arrived = once(server, 'request');
  req.flushHeaders();
  await arrived;
  const responded = once(req, 'response');
  return async () => {
    req.end(body);
    const [response] = (await responded) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
};

describe('a note that leaves the folders of a caller', () => {
  it('is not shown to a paused agent whose request was on its way', async () => {
    const id = await noteIn('a');
    const finish = await beginPut(id);
    // Visibility is examined before the body; what follows needs a database that has done so.
    await world.as(narrow).get(`/api/notes/${id}`).expect(200);
    await put(id, { title: 'hidden title', folder: 'x', tags: ['hidden'] }).expect(200);
    const { status, body } = await finish();
    expect([status, body.includes('hidden')]).toEqual([412, false]);
    expect(body).not.toContain('"current"');
  });

  it('makes the repetition of its creation 403, as that of a PUT', async () => {
    const create = (caller: typeof wide) =>
      world
        .as(caller)
        .post('/api/notes')
        .set('Idempotency-Key', 'created-once')
        .send({ title: 'made', folder: 'a' });
    const { body } = await create(narrow).expect(201);
    await create(narrow).expect(201);
    await put(String(body.id), { title: 'elsewhere', folder: 'x' }).expect(200);
    expect((await create(narrow).expect(403)).body).toMatchObject({ code: 'folder_not_granted' });
  });
});

describe('a version of a visible note that was in a hidden folder', () => {
  it('is no base of a merge: whether it succeeds would say what the version was', async () => {
    const now = { title: 'N', folder: 'a', content: 'one\nremoved\nthree\n' };
    for (const guess of ['1234', '9999']) {
      const id = await noteIn('x', { content: 'one\n1234\nthree\n' });
      await put(id, now).expect(200);
      const { results } = await syncClient(world, narrow).push(
        putOf({ ...now, content: `one\n${guess}\nthree\n` }, { id, baseRevision: 1 }),
      );
      expect(results).toMatchObject([{ status: 'conflict' }]);
    }
    const id = await noteIn('a', { content: 'one\ntwo\n' });
    await put(id, { title: 'N', folder: 'a', content: 'one\ntwo\nthree\n' }).expect(200);
    const { results } = await syncClient(world, narrow).push(
      putOf({ title: 'N', folder: 'a', content: 'zero\none\ntwo\n' }, { id, baseRevision: 1 }),
    );
    expect(results).toMatchObject([{ status: 'merged' }]);
  });
});

describe('links that follow a rename', () => {
  it('do so in every note that the caller may write, whatever others it only reads', async () => {
    const id = await noteIn('a', { title: 'Old' });
    const linking = { title: 'L', content: 'see [[Old]]' };
    const ids = [
      await noteIn('r', linking),
      await noteIn('a', linking),
      await noteIn('r', linking),
      await noteIn('a/b', linking),
    ];
    const edits = [{ op: 'set', title: 'New', updateLinks: true }];
    const { body } = await world.as(narrow).patch(`/api/notes/${id}`).send({ edits }).expect(200);
    expect(body.changed.linksUpdated).toEqual([ids[1], ids[3]]);
    expect(await Promise.all(ids.map(contentOf))).toEqual([
      'see [[Old]]',
      'see [[New]]',
      'see [[Old]]',
      'see [[New]]',
    ]);
  });
});

describe('a path of the MCP server', () => {
  it.each([
    ['a/none', 'not_found'],
    ['a/b/c/none', 'not_found'],
    ['r/none', 'not_found'],
    ['x/none', 'folder_not_granted'],
    ['x/y/none', 'folder_not_granted'],
    ['ab/none', 'folder_not_granted'],
    ['none', 'folder_not_granted'],
  ])('%s is %s for a caller with folders', async (path, code) => {
    const client = await service.connect(narrow);
    const { isError, texts } = await callTool(client, 'read_note', { path });
    expect([isError, texts[0]?.split(':')[0]]).toEqual([true, code]);
  });

  it('leads to a note whose title has a slash', async () => {
    await noteIn('a', { title: 'b/c' });
    const client = await service.connect(narrow);
    const { isError } = await callTool(client, 'read_note', { path: 'a/b/c' });
    expect(isError).toBe(false);
  });
});
