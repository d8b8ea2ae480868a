import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { asChild } from '../child.ts';
import { noteOf } from '../system/texts.ts';
import type { SyncTask } from './tasks.ts';

type SyncResponse = {
  cursor: string;
  hasMore: boolean;
  changes: unknown[];
  counts: { applied: number };
};

/** One connection, as of one client. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (task: SyncTask, body: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...task.headers,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const req = request(`${task.url}/api/sync`, { method: 'POST', agent, headers }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.once('error', reject);
      res.once('end', () => {
        const response = Buffer.concat(parts);
        if (res.statusCode === 200) {
          resolve(response);
        } else {
          reject(new Error(`Sync returned ${res.statusCode}: ${response.toString()}`));
        }
      });
    });
    req.once('error', reject);
    req.end(body);
  });

const parse = (response: Buffer): SyncResponse => JSON.parse(response.toString()) as SyncResponse;

/** Pushes new notes in batches; only round trips count, not the creation of the notes. */
const push = async (task: SyncTask): Promise<number> => {
  let elapsedMs = 0;
  let { cursor } = parse(await send(task, Buffer.from('{"limit":1}')));
  for (let done = 0; done < task.notes; done += task.batch) {
    const changes = Array.from({ length: task.batch }, (_, index) => ({
      mutationId: `${done + index}`,
      id: randomUUID(),
      op: 'put',
      baseRevision: null,
      note: noteOf(`pushed ${done + index}`),
    }));
    const body = Buffer.from(JSON.stringify({ clientId: randomUUID(), cursor, changes }));
    const startedAt = performance.now();
    const response = parse(await send(task, body));
    elapsedMs += performance.now() - startedAt;
    if (response.counts.applied !== task.batch) {
      throw new Error('Not every note was applied');
    }
    ({ cursor } = response);
  }
  return elapsedMs;
};

/** Pulls everything over an open connection, like the bare select. */
const pull = async (task: SyncTask): Promise<number> => {
  await send(task, Buffer.from('{"limit":1}'));
  const startedAt = performance.now();
  let cursor: string | null = null;
  for (let read = 0; read < task.notes;) {
    const body = Buffer.from(JSON.stringify({ cursor, limit: task.batch }));
    const response: SyncResponse = parse(await send(task, body));
    read += response.changes.length;
    ({ cursor } = response);
    if (!response.hasMore && read < task.notes) {
      throw new Error(`Received only ${read} notes`);
    }
  }
  return performance.now() - startedAt;
};

asChild(async (task: SyncTask) => {
  const ms = await (task.what === 'push' ? push : pull)(task);
  agent.destroy();
  return (task.notes / ms) * 1000;
});
