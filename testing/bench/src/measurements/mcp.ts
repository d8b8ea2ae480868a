import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { mcpRequest, toolCall } from '../load/mcp-request.ts';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { median } from '../median.ts';
import { mcpMemory } from './mcp-memory.ts';
import { readers } from '../system/environment.ts';
import { installProduct } from '../system/product.ts';

/** Clients that list tools: each does so once in a session, so the latency counts and not the rate. */
const listers = 8;

/** As people install it. */
const program = join(import.meta.dirname, '../../../../packages/cli/dist/main.js');

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
});

/** Milliseconds from the start of `commonplace mcp` to its first response. */
const startBridge = async (url: string, key: string): Promise<number> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { PATH: '/usr/bin:/bin', COMMONPLACE_URL: url, COMMONPLACE_API_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(`${initialize}\n`);
  await once(child.stdout, 'data');
  const ms = performance.now() - startedAt;
  child.kill();
  await once(child, 'close');
  return ms;
};

/** `read_note` over MCP, against the same read over REST; the list of tools; the start of `commonplace mcp`. */
export const mcp: Measurement = {
  name: 'mcp',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const headers = bearer(environment.company.key);
    const toolCalls = environment.notePaths.map((path) =>
      toolCall(headers, 'read_note', { id: path.split('/').at(-1) }),
    );
    const listTools = mcpRequest(headers, 'tools/list');
    bench.afterRestart(async (restarted) => [
      await mcpMemory(restarted, {
        settleSeconds: profile.settleSeconds,
        rest: environment.notePaths.slice(0, 4).map((path) => ({ method: 'GET', path, headers })),
        mcp: [listTools, ...toolCalls.slice(0, 3)],
      }),
    ]);
    const load =
      (requests: readonly LoadRequest[], connections = readers) =>
      () =>
        runLoad({ url: product.url, requests, connections, seconds: profile.seconds });
    const variants = {
      mcp: load(toolCalls),
      rest: load(environment.notePaths.map((path) => ({ method: 'GET', path, headers }))),
      list: load([listTools], listers),
    };
    await interleave(profile.warmUpRounds, variants);
    const figures = await interleave(profile.rounds, variants);
    return [
      {
        name: '`read_note` over MCP, API key',
        unit: 'requests/s',
        ...compare(
          figures.mcp.map((one) => one.perSecond),
          figures.rest.map((one) => one.perSecond),
        ),
        target: { of: 'ratio', is: 'at least', bound: 0.75 },
        note: 'the baseline is the same read over REST',
      },
      {
        name: `\`tools/list\` over MCP, ${listers} clients, p99`,
        unit: 'ms',
        value: median(figures.list.map((one) => one.p99Ms)),
        baseline: null,
        target: { of: 'value', is: 'at most', bound: 15 },
      },
      await startRow(bench),
    ];
  },
};

const startRow = async ({ product, environment, profile }: Bench): Promise<Row> => {
  // Builds the package if the sources have changed.
  await installProduct();
  const start = { ms: () => startBridge(product.url, environment.company.key) };
  await interleave(1, start);
  const starts = await interleave(profile.rounds, start);
  return {
    name: 'start of `commonplace mcp` to its first response',
    unit: 'ms',
    value: median(starts.ms),
    baseline: null,
    target: { of: 'value', is: 'at most', bound: 350 },
  };
};
