import { bearer, whenAvailable } from '@commonplace/e2e';
import {
  authorizationPath,
  connectByScript,
  refreshByScript,
  registerByScript,
  sendTo,
  type ScriptedConnection,
  type ScriptedTokens,
  type Send,
} from '@commonplace/e2e/connect-by-script';
import { compare, interleave } from '../interleave.ts';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { median } from '../median.ts';
import { readers } from '../system/environment.ts';

const clients = 8;

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

const pingRequest = (path: string, credential: string): LoadRequest => ({
  method: 'POST',
  path,
  headers: {
    ...bearer(credential),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
  body: ping,
});

/**
 * Connections by OAuth: verification beside that of a key, the way from the address to the first tool call by script, and
 * the endpoints of the protocol.
 */
export const connect: Measurement = {
  name: 'connect',
  measure: async (bench) => {
    const { product, environment } = bench;
    const { companyId, agentId } = environment.company;
    const send = patient(sendTo(product.url));
    const consenting = { headers: {}, companyId, agentId, origin: product.url };
    const startedAtMs = performance.now();
    const first = await connectByScript(send, consenting);
    await callTool(product.url, first);
    const connectedSeconds = (performance.now() - startedAtMs) / 1_000;
    const { clientId } = first;
    const connections: ScriptedConnection[] = [];
    for (let index = 0; index < clients; index += 1) {
      connections.push(await connectByScript(send, { ...consenting, clientId }));
    }
    return [
      await verificationRow(bench, first),
      {
        name: 'a connection by script, from the address to the first tool call',
        unit: 's',
        value: connectedSeconds,
        baseline: null,
        target: { of: 'value', is: 'at most', bound: 15 },
      },
      await authorizeRow(product.url),
      await tokenRow(bench, connections),
    ];
  },
};

/** Retries on 503, which a busy machine may return. */
const patient =
  (send: Send): Send =>
  (...request) =>
    whenAvailable(() => send(...request));

const callTool = async (url: string, { tokens }: ScriptedConnection): Promise<void> => {
  const { headers } = pingRequest('/connect/mcp', tokens.access_token);
  const params = { name: 'whoami', arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { status, text } = await patient(sendTo(url))('/connect/mcp', {
    method: 'POST',
    headers,
    body,
  });
  if (status !== 200 || !text.includes('agent: ')) {
    throw new Error(`The first tool call got ${status}: ${text.slice(0, 500)}`);
  }
};

const verificationRow = async (
  { product, environment, profile }: Bench,
  { tokens }: ScriptedConnection,
): Promise<Row> => {
  const rateOf = (request: LoadRequest) => async () => {
    const load = { url: product.url, requests: [request], connections: readers };
    return (await runLoad({ ...load, seconds: profile.seconds })).perSecond;
  };
  const variants = {
    connection: rateOf(pingRequest('/connect/mcp', tokens.access_token)),
    key: rateOf(pingRequest('/mcp', environment.company.key)),
  };
  await interleave(profile.warmUpRounds, variants);
  const figures = await interleave(profile.rounds, variants);
  return {
    name: '`ping` over MCP, token of a connection',
    unit: 'requests/s',
    ...compare(figures.connection, figures.key),
    target: { of: 'ratio', is: 'at least', bound: 0.95 },
    note: 'the baseline is the same request with an API key',
  };
};

/** Sends one request. */
type Client = () => Promise<void>;

/** An address may begin 120 authorizations a minute, and the connections before took some. */
const authorizationsOfClient = 12;

const authorizeRow = async (url: string): Promise<Row> => {
  const client = await beginAuthorization(url);
  await client();
  const all = Array.from({ length: clients }, () => client);
  return rowOf('authorize', await p99Of(all, (sent) => sent < authorizationsOfClient));
};

const tokenRow = async (
  { product, profile }: Bench,
  connections: readonly ScriptedConnection[],
): Promise<Row> => {
  const all = connections.map((connection) => refreshing(product.url, connection));
  const p99sMs: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= profile.rounds; round += 1) {
    const untilMs = performance.now() + profile.seconds * 1_000;
    p99sMs.push(await p99Of(all, () => performance.now() < untilMs));
  }
  return rowOf('token', median(p99sMs.slice(1)));
};

const rowOf = (name: string, p99Ms: number): Row => ({
  name: `\`/connect/${name}\`, ${clients} clients, p99`,
  unit: 'ms',
  value: p99Ms,
  baseline: null,
  target: { of: 'value', is: 'at most', bound: 100 },
});

const p99Of = async (
  all: readonly Client[],
  goesOn: (sent: number) => boolean,
): Promise<number> => {
  const durationsMs: number[] = [];
  const run = async (client: Client) => {
    for (let sent = 0; goesOn(sent); sent += 1) {
      const startedAtMs = performance.now();
      await client();
      durationsMs.push(performance.now() - startedAtMs);
    }
  };
  await Promise.all(all.map(run));
  return durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length * 0.99)] ?? Number.NaN;
};

const expectStatus = (
  expected: number,
  { status, text }: { readonly status: number; readonly text: string },
): void => {
  if (status !== expected) {
    throw new Error(`Expected ${expected}, got ${status}: ${text.slice(0, 500)}`);
  }
};

const beginAuthorization = async (url: string): Promise<Client> => {
  const send = sendTo(url);
  const clientId = await registerByScript(send);
  return async () => {
    const { path } = authorizationPath(clientId, `${url}/connect/mcp`);
    expectStatus(303, await send(path));
  };
};

const refreshing = (url: string, connection: ScriptedConnection): Client => {
  const send = sendTo(url);
  let refreshToken = connection.tokens.refresh_token;
  return async () => {
    const refreshed = await refreshByScript(send, connection, refreshToken);
    expectStatus(200, refreshed);
    refreshToken = (JSON.parse(refreshed.text) as ScriptedTokens).refresh_token;
  };
};
