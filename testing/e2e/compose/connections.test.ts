import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { makeCompany, type CompanyWorld } from '../src/world.ts';
import { containersOf, mustRun } from './compose.ts';
import { makeDeployment, type Deployment } from './deployment.ts';
import { describeFigures, memoryOf } from './figures.ts';

/*
 * Loads that once exhausted the gateway, with the memory limits of the containers in force: nothing is
 * killed, and others are served meanwhile. Their latency is reported as a figure; their success is tested.
 */
let deployment: Deployment;
let company: CompanyWorld;
let gateway: string;
const figures = new Map<string, string>();
const clients: Socket[] = [];

/** Nearly the gateway's limit of connections. */
const deafCount = 1_900;
const pipelined = 20;
const neighbourRequests = 150;
const metricsPort = 9_464;
/**
 * Docker's port proxy keeps connections of disconnected clients while bytes are unread. The gateway
 * then ends them after 30 s without reading.
 */
const releaseMaxMs = 40_000;

/** Recreates the gateway with another limit of connections per address, and waits for it. */
const startGateway = async (connectionsPerAddress: number): Promise<void> => {
  const folder = `${import.meta.dirname}/../../..`;
  const env = {
    CONNECTIONS_PER_ADDRESS: String(connectionsPerAddress),
    METRICS_PORT: String(metricsPort),
  };
  const compose = await deployment.composeIn(folder, env);
  await compose('up', '-d');
  await deployment.ready();
  [gateway = ''] = await containersOf(deployment.compose, 'gateway');
};

beforeAll(async () => {
  deployment = await makeDeployment('commonplace-test-connections');
  await deployment.compose('build');
  await startGateway(0);
  company = await makeCompany(await deployment.board(), 'Neighbours', {
    baseUrl: deployment.baseUrl,
    withInvite: false,
  });
}, 900_000);

afterEach(async () => {
  clients.splice(0).forEach((client) => client.destroy());
  // Otherwise the next load would reach the connection limit.
  await untilReleased();
}, 60_000);

afterAll(async () => {
  await deployment.remove();
  process.stderr.write(describeFigures(figures));
}, 300_000);

/** Runs a Node script in a container. */
const runIn = (container: string, program: string): Promise<string> =>
  mustRun('docker', ['exec', container, 'node', '-e', program]);

const openConnections = async (): Promise<number> => {
  const text = await runIn(
    gateway,
    `fetch('http://127.0.0.1:${metricsPort}/metrics').then(async (res) => console.log(await res.text()))`,
  );
  return Number(/^gateway_connections_open (\d+)$/m.exec(text)?.[1]);
};

/** Waits until the gateway has closed the connections of disconnected clients. */
const untilReleased = async (): Promise<void> => {
  const deadlineMs = performance.now() + releaseMaxMs;
  let open = await openConnections();
  while (!(open < 100)) {
    if (performance.now() > deadlineMs) {
      throw new Error(`${open} connections stay open after their clients left`);
    }
    await sleep(250);
    open = await openConnections();
  }
};

/** Opens a connection, sends requests on it and reads nothing. */
const openDeaf = (target: string): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port, host } = new URL(deployment.baseUrl);
    const client = connect(Number(port), hostname).pause();
    clients.push(client);
    client.on('error', () => resolve());
    client.once('connect', () => {
      const one = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      client.write(one.repeat(pipelined), () => resolve());
    });
  });

/** Latency of a request on a new connection in milliseconds, and its status. */
const send = (path: string) =>
  new Promise<{ readonly ms: number; readonly status: number | string }>((resolve) => {
    const sentAtMs = performance.now();
    const end = (status: number | string) => resolve({ ms: performance.now() - sentAtMs, status });
    const headers = { authorization: `Bearer ${company.key}` };
    request(deployment.baseUrl + path, { agent: false, headers }, (res) => {
      res.resume().once('end', () => end(res.statusCode ?? 0));
    })
      .once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'failed'))
      .end();
  });

/** Failures and p99 of other clients meanwhile. */
const neighbours = async (): Promise<{ failures: unknown[]; p99Ms: number }> => {
  const responses: Awaited<ReturnType<typeof send>>[] = [];
  for (let index = 0; index < neighbourRequests; index += 1) {
    responses.push(await send(index % 2 === 0 ? '/readyz' : `/api/notes/${company.noteId}`));
  }
  const sorted = responses.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    failures: responses.filter(({ status }) => status !== 200),
    p99Ms: sorted[Math.floor(sorted.length * 0.99) - 1] ?? Infinity,
  };
};

/** Whether the gateway's container runs and was neither killed nor restarted. */
const fateOf = (id: string): Promise<string> =>
  mustRun('docker', [
    'inspect',
    '--format',
    '{{.State.Running}} {{.State.OOMKilled}} {{.RestartCount}}',
    id,
  ]);

it.each(['/api/openapi.json', '/api/docs'])(
  'survives 1,900 connections that pipeline requests and read nothing: %s',
  async (target) => {
    const before = await memoryOf(deployment.compose);
    for (let count = 0; count < deafCount; count += 100) {
      await Promise.all(Array.from({ length: 100 }, () => openDeaf(target)));
    }
    const { failures, p99Ms } = await neighbours();
    figures.set(`memory before ${target}`, before);
    figures.set(`memory during ${target}`, await memoryOf(deployment.compose));
    figures.set(`p99 of others during ${target}`, `${p99Ms.toFixed(0)} ms`);
    expect(await fateOf(gateway)).toBe('true false 0');
    expect(failures).toEqual([]);
  },
);

it('lets no address hold all connections: others connect, and the log names the refused one', async () => {
  await startGateway(500);
  for (let count = 0; count < deafCount; count += 100) {
    await Promise.all(Array.from({ length: 100 }, () => openDeaf('/healthz')));
  }
  // Every connection from this host has the address of Docker's bridge; a container has one of its own.
  const [notes = ''] = await containersOf(deployment.compose, 'notes');
  const url = `http://gateway:${new URL(deployment.baseUrl).port}/readyz`;
  const program = `fetch('${url}').then(({ status }) => console.log(status))`;
  expect(await runIn(notes, program)).toBe('200');
  expect(await mustRun('docker', ['logs', gateway])).toMatch(
    /"limit":"address".*"connections refused"/,
  );
  expect(await fateOf(gateway)).toBe('true false 0');
});
