import { Agent } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sendRequest, problemOf } from './send-request.ts';
import { addKey, startGateway } from './start-gateway.ts';

describe('a shutdown under load', () => {
  it('fails no request: clients are advised to reconnect before anything closes', async () => {
    const gateway = await startGateway();
    const { bearer: authorization } = addKey(gateway.data);
    const headers = { authorization };
    const results: (number | string)[] = [];
    let isOver = false;
    await sendRequest(gateway.port, '/api/things', { headers });
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        // Not `/api/things/{id}`, whose short deadline a busy machine may exceed.
        const path = '/api/things?behave=slow';
        const response = await sendRequest(gateway.port, path, { headers, agent }).catch(
          (error: NodeJS.ErrnoException) => ({ status: error.code ?? 'failed', headers: {} }),
        );
        results.push(response.status);
        // Behind a load balancer this client would go on with another replica.
        isOver ||= 'connection' in response.headers && response.headers.connection === 'close';
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 16 }, client);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stopped = gateway.shutDown();
    const ready = await sendRequest(gateway.port, '/readyz');
    await Promise.all([...clients, stopped]);
    expect(problemOf(ready)).toEqual([503, 'service_unavailable']);
    expect(results.length).toBeGreaterThan(16);
    expect(new Set(results)).toEqual(new Set([200]));
    await expect(sendRequest(gateway.port, '/healthz')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await gateway.stop();
  });
});
