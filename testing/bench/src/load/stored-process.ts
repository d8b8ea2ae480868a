import { Agent, request } from 'node:http';
import { asChild } from '../child.ts';
import type { StoredTask, StoredRequest } from './tasks.ts';

/** Sends a request and discards its response as it arrives. */
const send = ({ url, headers }: StoredTask, agent: Agent, { method, path, body }: StoredRequest) =>
  new Promise<number>((resolve, reject) => {
    const sent = {
      ...headers,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const req = request(`${url}${path}`, { method, agent, headers: sent }, (res) => {
      res.once('error', reject);
      res.once('end', () => resolve(res.statusCode ?? 0));
      res.resume();
    });
    req.once('error', reject);
    req.end(body);
  });

asChild(async (task: StoredTask) => {
  const agent = new Agent({ keepAlive: true, maxSockets: task.atOnce });
  const waiting = [...task.requests];
  const statuses: Record<number, number> = {};
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const status = await send(task, agent, next);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: task.atOnce }, work));
  agent.destroy();
  return statuses;
});
