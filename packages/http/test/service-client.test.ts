import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  agentId,
  AppError,
  checkAgentContract,
  companyId,
  newId,
  redeemInviteContract,
} from '@commonplace/contracts';
import { identityMinter, identityVerifier, signingKeys } from '@commonplace/identity';
import { problemBody, serviceClient, serviceProbe } from '../src/index.ts';

const keys = signingKeys(['test-only-internal-identity-secret-0001']);
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The base URL of a service that responds as `listener` does. */
const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
};

/** Its client. */
const clientOf = async (listener: RequestListener, timeoutMs = 2_000) =>
  serviceClient({
    baseUrls: [await serve(listener)],
    self: 'notes',
    mintIdentity: identityMinter(keys, 'notes'),
    timeoutMs,
  });

const respond =
  (status: number, body: unknown): RequestListener =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const input = { companyId: companyId.parse(newId()), agentId: agentId.parse(newId()) };
const redemption = {
  tokenDigest: 'a'.repeat(64),
  operator: { id: newId(), email: 'a@b.example', name: 'A' },
};

describe('a call from service to service', () => {
  it('goes out with an identity signed in its own name', async () => {
    let identity: unknown;
    const call = await clientOf((req, res) => {
      identity = identityVerifier(keys)(String(req.headers['x-gateway-identity']))?.caller;
      respond(200, { agent: null })(req, res);
    });
    expect(await call(checkAgentContract, input)).toEqual({ agent: null });
    expect(identity).toEqual({ kind: 'service', service: 'notes' });
  });

  it('passes on the errors its contract declares', async () => {
    const problem = problemBody(new AppError('already_member'), 'request');
    const call = await clientOf(respond(409, problem));
    await expect(call(redeemInviteContract, redemption)).rejects.toMatchObject({
      code: 'already_member',
    });
  });

  it('converts every other error to "unavailable", so that callers fail closed', async () => {
    const problem = problemBody(new AppError('identity_required'), 'request');
    const call = await clientOf(respond(401, problem));
    await expect(call(checkAgentContract, input)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });

  it('reports a response that does not fit the contract as a bad upstream', async () => {
    const call = await clientOf(respond(200, { agent: { agentStatus: 'dancing' } }));
    await expect(call(checkAgentContract, input)).rejects.toMatchObject({
      code: 'bad_upstream',
    });
  });

  it('gives up after its time-out with 503', async () => {
    const call = await clientOf(() => undefined, 50);
    await expect(call(checkAgentContract, input)).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    });
  });

  it('is unavailable without a listener', async () => {
    const call = await clientOf(respond(200, {}));
    server?.close();
    server?.closeAllConnections();
    await expect(call(checkAgentContract, input)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
  });
});

it.each([
  ['ready when its clock is about ours', 3_000, null],
  [
    'not ready when its clock is a minute off, because it would refuse our requests',
    60_000,
    /^Its clock differs by \d+ s\.$/,
  ],
])('a service is %s', async (_title, aheadMs, problem) => {
  const baseUrl = await serve((_req, res) => {
    res.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString()).end('{}');
  });
  const found = await serviceProbe([baseUrl])();
  expect(found ?? '').toMatch(problem ?? /^$/);
});
