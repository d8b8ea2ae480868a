import { Agent } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, problemOf } from './send-request.ts';
import { giveKey, startWorld } from './world.ts';

describe('a shutdown under load', () => {
  it('fails no request: clients are told to reconnect before anything closes', async () => {
    const world = await startWorld();
    const { bearer: authorization } = giveKey(world.knowledge);
    const headers = { authorization };
    const results: (number | string)[] = [];
    let isOver = false;
    await ask(world.port, '/api/things', { headers });
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        const path = `/api/things/${newId()}?behave=slow`;
        const answered = await ask(world.port, path, { headers, agent }).catch(
          (error: NodeJS.ErrnoException) => ({ status: error.code ?? 'failed', headers: {} }),
        );
        results.push(answered.status);
        // As behind a load balancer: whoever was told "close" goes to another replica.
        isOver ||= 'connection' in answered.headers && answered.headers.connection === 'close';
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 16 }, client);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stopped = world.shutDown();
    const ready = await ask(world.port, '/readyz');
    await Promise.all([...clients, stopped]);
    expect(problemOf(ready)).toEqual([503, 'service_unavailable']);
    expect(results.length).toBeGreaterThan(16);
    expect(new Set(results)).toEqual(new Set([200]));
    await expect(ask(world.port, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await world.stop();
  });
});
