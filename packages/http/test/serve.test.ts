import { Agent, get } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createLog, serve } from '../src/index.ts';

const log = createLog('test', 'silent');

type Outcome =
  | { readonly status: number | undefined; readonly connection: string | undefined }
  | { readonly error: string };

const fetchWith = (agent: Agent, port: number): Promise<Outcome> =>
  new Promise((resolve) => {
    get({ agent, port, host: '127.0.0.1' }, (res) => {
      res
        .resume()
        .once('end', () => resolve({ status: res.statusCode, connection: res.headers.connection }));
    }).once('error', (error) => resolve({ error: error.message }));
  });

describe('a server that stops', () => {
  it('fails none of the requests of 16 clients that keep their connections alive', async () => {
    let isDraining = false;
    const running = await serve({
      app: (_req, res) => void setTimeout(() => res.end('ok'), 5),
      host: '127.0.0.1',
      port: 0,
      log,
      onDrain: () => {
        isDraining = true;
      },
    });
    const outcomes: Outcome[] = [];
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (true) {
        const outcome = await fetchWith(agent, running.port);
        outcomes.push(outcome);
        if (isDraining) {
          agent.destroy();
          return;
        }
      }
    };
    const clients = Array.from({ length: 16 }, client);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([running.stop(), ...clients]);
    expect(outcomes.length).toBeGreaterThanOrEqual(16);
    expect(outcomes.filter((outcome) => 'error' in outcome || outcome.status !== 200)).toEqual([]);
  });

  it('finishes running requests before it closes its resources', async () => {
    const order: string[] = [];
    const running = await serve({
      app: (_req, res) =>
        void setTimeout(() => {
          order.push('responded');
          res.end('late');
        }, 1_500),
      host: '127.0.0.1',
      port: 0,
      log,
      onClose: async () => {
        order.push('closed');
      },
    });
    const agent = new Agent();
    const slow = fetchWith(agent, running.port);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([running.stop(), running.stop()]);
    expect(await slow).toMatchObject({ status: 200 });
    expect(order).toEqual(['responded', 'closed']);
  });

  it('says that its port is taken instead of choosing another', async () => {
    const first = await serve({ app: () => undefined, host: '127.0.0.1', port: 0, log });
    const second = serve({ app: () => undefined, host: '127.0.0.1', port: first.port, log });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.stop();
  });
});

describe('a service', () => {
  it('takes the headers that the gateway lets in, and those it adds', async () => {
    const running = await serve({
      app: (_req, res) => void res.end('ok'),
      host: '127.0.0.1',
      port: 0,
      log,
    });
    const headers = {
      'user-agent': 'x'.repeat(16 * 1024),
      'x-gateway-identity': 'y'.repeat(20_000),
    };
    const response = await fetch(`http://127.0.0.1:${running.port}/`, { headers });
    expect(response.status).toBe(200);
    await running.stop();
  });
});
