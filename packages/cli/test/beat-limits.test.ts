import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@commonplace/client';
import { until } from '@commonplace/testkit';
import { prepareContext } from '../src/heartbeat/prepare-context.ts';
import { finishRun } from '../src/heartbeat/run-lifecycle.ts';
import { FakeGateway } from './fake-gateway.ts';

let gateway: FakeGateway;
let folder: string;
let lines: string[];
const log = (line: string): void => {
  lines.push(line);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-cli-'));
  gateway = new FakeGateway();
  lines = [];
  await gateway.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await gateway.stop();
  await rm(folder, { recursive: true });
});

/**
 * Accepts requests on a path without a response. Returns what reaches the time limit that is set first, that of the
 * whole call, while a request waits.
 */
const holdForEver = (path: string): ((limitMs: number) => Promise<void>) => {
  gateway.held = { path, until: new Promise(() => undefined) };
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  return async (limitMs) => {
    await until(() => gateway.paths.some((requested) => requested.endsWith(path)));
    expect(timeout).toHaveBeenNthCalledWith(1, limitMs);
    limit.abort(new Error('The limit is reached'));
  };
};

describe('a server that accepts a request and does not respond', () => {
  it('delays the command by the time limit of the context', async () => {
    const reachLimit = holdForEver('/context');
    const never = new AbortController().signal;
    const prepared = prepareContext(
      { agentId: gateway.agentId, context: { query: undefined } },
      { token: () => 'token', ended: never },
      {
        api: createClient({ baseUrl: gateway.baseUrl, credential: gateway.key }),
        baseUrl: gateway.baseUrl,
        environment: { HOME: folder },
        signals: { stop: never, exitCode: () => 0, forwardTo: () => () => undefined },
        log,
      },
    );
    await reachLimit(30_000);
    await expect(prepared).resolves.toBeUndefined();
    expect(lines).toEqual(['the command runs without a context: The limit is reached']);
    expect(gateway.paths).toHaveLength(1);
  });

  it('delays the end of the heartbeat by the time limit of the report', async () => {
    const reachLimit = holdForEver('/finish');
    const finished = finishRun(
      { runId: gateway.agentId, status: 'succeeded', costCents: 0, reason: undefined },
      { api: createClient({ baseUrl: gateway.baseUrl, credential: gateway.key }), log },
    );
    await reachLimit(60_000);
    await expect(finished).resolves.toBeUndefined();
    expect(lines).toEqual([`run ${gateway.agentId} could not be finished: The limit is reached`]);
    expect(gateway.paths).toHaveLength(1);
  });
});
