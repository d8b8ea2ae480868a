import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { asChild } from '../child.ts';
import { noteOf } from '../system/note-of.ts';
import type { SyncTask } from './run-sync-task.ts';

type Answer = { cursor: string; hasMore: boolean; changes: unknown[]; counts: { applied: number } };

/** Over one connection, as one client would. */
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
        const answer = Buffer.concat(parts);
        if (res.statusCode === 200) {
          resolve(answer);
        } else {
          reject(new Error(`Sync answered ${res.statusCode}: ${answer.toString()}`));
        }
      });
    });
    req.once('error', reject);
    req.end(body);
  });

const parse = (answer: Buffer): Answer => JSON.parse(answer.toString()) as Answer;

/** Pushes new notes batch by batch; only the round trips count, not the making of the notes. */
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
    const answer = parse(await send(task, body));
    elapsedMs += performance.now() - startedAt;
    if (answer.counts.applied !== task.batch) {
      throw new Error('Not every note was applied');
    }
    ({ cursor } = answer);
  }
  return elapsedMs;
};

/** Pulls everything from the start. The connection is open by then, as that of the bare select is. */
const pull = async (task: SyncTask): Promise<number> => {
  await send(task, Buffer.from('{"limit":1}'));
  const startedAt = performance.now();
  let cursor: string | null = null;
  for (let read = 0; read < task.notes;) {
    const body = Buffer.from(JSON.stringify({ cursor, limit: task.batch }));
    const answer: Answer = parse(await send(task, body));
    read += answer.changes.length;
    ({ cursor } = answer);
    if (!answer.hasMore && read < task.notes) {
      throw new Error(`Only ${read} notes came`);
    }
  }
  return performance.now() - startedAt;
};

asChild(async (task: SyncTask) => {
  const ms = await (task.what === 'push' ? push : pull)(task);
  agent.destroy();
  return (task.notes / ms) * 1000;
});
