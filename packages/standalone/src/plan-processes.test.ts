import { describe, expect, it } from '@jest/globals';
import { planProcesses } from './plan-processes.ts';

const replicas = { gateway: 2, auth: 2, agents: 2, notes: 2 };

describe.each([false, true])('several replicas of each service, isMeshed: %s', (isMeshed) => {
  it('all have the URL of the first gateway, which passkeys are for', async () => {
    const planned = await planProcesses({ host: '0.0.0.0', port: 3100, replicas, isMeshed });
    const urls = planned.map(({ addresses }) => addresses.urls.gateway);
    expect(urls).toEqual(Array.from({ length: 8 }, () => 'http://127.0.0.1:3100'));
  });

  it(`call ${isMeshed ? 'all' : 'one'} of the others`, async () => {
    const planned = await planProcesses({ host: '127.0.0.1', port: 0, replicas, isMeshed });
    const portsOf = (service: string) =>
      planned
        .filter(({ name }) => name === service)
        .map(({ addresses }) => `http://127.0.0.1:${addresses.port}`);
    const [first, second] = planned
      .filter(({ name }) => name === 'gateway')
      .map(({ addresses }) => addresses.urls.notes.split(','));
    const [one = '', other = ''] = portsOf('notes');
    expect([first, second]).toEqual(
      isMeshed
        ? [
            [one, other],
            [one, other],
          ]
        : [[one], [other]],
    );
  });
});
