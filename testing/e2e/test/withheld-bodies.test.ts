import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isCitusRun } from '@commonplace/testkit';
import { bearer, type Api } from '../src/call-api.ts';
import { signIn } from '../src/sign-in.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { withhold } from '../src/withhold.ts';
import {
  inviteMember,
  makeCompany,
  memberPassword,
  type CompanyWorld,
  type NewMember,
} from '../src/world.ts';

/** So long after the revocation the rest of the bodies is sent. The contract says that one second is enough. */
const heldBackMs = 3_000;

/** So long after each other they begin: a busy machine would respond with 503 to all of them at the same time. */
const startIntervalMs = isCitusRun() ? 1_000 : 250;

type Headers = Readonly<Record<string, string>>;

/** A request that is begun by somebody who may, and completed when it may no longer be. */
type Attempt = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly isChunked?: boolean;
  readonly refusal: 401 | 403;
  /** Takes the access away, through the first gateway. */
  readonly revoke: () => ReturnType<Api>;
  /** Throws when something was done. */
  readonly assertUndone: () => Promise<void>;
};

type World = {
  readonly company: CompanyWorld;
  readonly member: (role: NewMember['role']) => Promise<{
    readonly headers: Headers;
    readonly id: string;
    readonly email: string;
  }>;
};

/** The same by somebody who still may when the rest is sent. */
type Upload = Pick<Attempt, 'method' | 'path' | 'headers' | 'body'>;

let system: TestSystem;
let board: Api;
let gateways: readonly string[];
const outcomes = new Map<string, { readonly attempt: Attempt; readonly statuses: number[] }>();
const served = new Map<string, number[]>();

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    replicas: { gateway: 2 },
    env: { RATE_LIMIT_PER_SECOND: '0' },
  });
  gateways = gatewaysOf(system);
  board = system.as(await system.boardHeaders());
  const prepared: [string, Attempt][] = [];
  for (const [name, prepare] of Object.entries(attempts)) {
    prepared.push([name, await prepare(await makeWorld())]);
  }
  const lasting: [string, Upload][] = [];
  for (const [name, prepare] of Object.entries(uploads)) {
    lasting.push([name, await prepare(await makeWorld())]);
  }
  const observations = [
    ...prepared.map(([name, attempt]) => async () => {
      outcomes.set(name, { attempt, statuses: await run(attempt) });
    }),
    ...lasting.map(([name, upload]) => async () => {
      served.set(name, await complete(upload, gateways, () => undefined));
    }),
  ];
  await Promise.all(
    observations.map(async (observe, index) => {
      await sleep(index * startIntervalMs);
      await observe();
    }),
  );
}, 180_000);
afterAll(async () => {
  await system?.stop();
});

const gatewaysOf = ({ system: { processes } }: TestSystem): string[] =>
  processes.filter(({ name }) => name === 'gateway').map(({ port }) => `http://127.0.0.1:${port}`);

const run = (attempt: Attempt): Promise<number[]> =>
  complete(attempt, gateways, async () => {
    const { status, body } = await attempt.revoke();
    if (status >= 300) {
      throw new Error(`Revoking was refused: ${JSON.stringify(body)}`);
    }
  });

/** Begins a request at every gateway, and completes it some time after something else. */
const complete = async (
  upload: Upload & Pick<Attempt, 'isChunked'>,
  baseUrls: readonly string[],
  meanwhile: () => unknown,
): Promise<number[]> => {
  const begun = baseUrls.map((baseUrl) =>
    // Each gateway takes itself for the origin that browsers use.
    withhold(baseUrl, { ...upload, headers: { ...upload.headers, origin: baseUrl } }),
  );
  // By then all gateways have authorized it.
  await sleep(1_000);
  await meanwhile();
  await sleep(heldBackMs);
  const responses = await Promise.all(begun.map(({ finish }) => finish()));
  return responses.map((response) => response.status);
};

const makeWorld = async (): Promise<World> => {
  const { baseUrl } = system;
  const company = await makeCompany(board, 'Withheld', { baseUrl, withInvite: true });
  return {
    company,
    member: async (role) => {
      const email = `${randomUUID()}@example.org`;
      const headers = await inviteMember(board, company, { baseUrl, email, role });
      const session = await system.as(headers)('GET', '/api/auth/session');
      return { headers, email, id: (session.body as { operator: { id: string } }).operator.id };
    },
  };
};

const contentOf = 'x'.repeat(400_000);

/** Writes a note of 400 KB: most of it is on its way when the access ends. */
const noteBy = (headers: Headers, revoke: Attempt['revoke'], isChunked = false): Attempt => {
  const path = `/api/notes/${randomUUID()}`;
  return {
    method: 'PUT',
    path,
    headers,
    body: { title: 'Too late', content: contentOf },
    isChunked,
    refusal: 401,
    revoke,
    assertUndone: async () => expect((await board('GET', path)).status).toBe(404),
  };
};

/** An operator on another device. */
const elsewhere = async (email: string): Promise<Api> =>
  system.as(await signIn({ baseUrl: system.baseUrl, email, password: memberPassword }));

const countAt = async (path: string): Promise<number> =>
  ((await board('GET', path)).body as { items: unknown[] }).items.length;

const unchanged = async (path: string): Promise<() => Promise<void>> => {
  const before = await countAt(path);
  return async () => expect(await countAt(path)).toBe(before);
};

const attempts: Readonly<Record<string, (world: World) => Attempt | Promise<Attempt>>> = {
  'a note by a revoked key': ({ company: { agentId, keyId, key } }) =>
    noteBy(bearer(key), () => board('DELETE', `/api/agents/${agentId}/keys/${keyId}`)),
  'a note in chunks by a rotated key': ({ company: { agentId, keyId, key } }) =>
    noteBy(
      bearer(key),
      () => board('POST', `/api/agents/${agentId}/keys/${keyId}/rotate`, { body: {} }),
      true,
    ),
  'a note by a cancelled run': ({ company: { runId, runToken } }) =>
    noteBy(bearer(runToken), () => board('POST', `/api/runs/${runId}/cancel`)),
  'a note by a run of a paused agent': ({ company: { agentId, runToken } }) =>
    noteBy(bearer(runToken), () => board('POST', `/api/agents/${agentId}/pause`)),
  'a note by a key of a terminated agent': ({ company: { agentId, key } }) =>
    noteBy(bearer(key), () => board('POST', `/api/agents/${agentId}/terminate`)),
  'a note by a key of an archived company': ({ company: { companyId, key } }) =>
    noteBy(bearer(key), () =>
      board('PATCH', `/api/companies/${companyId}`, { body: { status: 'archived' } }),
    ),
  'a background job of 9 MB by a revoked key': ({ company: { agentId, keyId, key } }) => {
    const id = randomUUID();
    const changes = Array.from({ length: 22 }, (_, index) => ({
      mutationId: String(index),
      id: index === 0 ? id : randomUUID(),
      op: 'put',
      baseRevision: null,
      note: { title: 'Too late', content: contentOf },
    }));
    return {
      method: 'POST',
      path: '/api/sync',
      headers: bearer(key),
      body: { clientId: 'late', mode: 'background', changes },
      refusal: 401,
      revoke: () => board('DELETE', `/api/agents/${agentId}/keys/${keyId}`),
      assertUndone: async () => expect((await board('GET', `/api/notes/${id}`)).status).toBe(404),
    };
  },
  'a key by a removed member': async ({ company: { companyId, agentId }, member }) => {
    const { headers, id } = await member('operator');
    const path = `/api/agents/${agentId}/keys`;
    return {
      method: 'POST',
      path,
      headers,
      body: { name: 'Too late' },
      refusal: 403,
      revoke: () => board('DELETE', `/api/companies/${companyId}/members/${id}`),
      assertUndone: await unchanged(path),
    };
  },
  'an invite by an owner who is a viewer by then': async ({ company: { companyId }, member }) => {
    const { headers, id } = await member('owner');
    const path = `/api/companies/${companyId}/invites`;
    return {
      method: 'POST',
      path,
      headers,
      body: { email: 'accomplice@example.org', role: 'owner' },
      refusal: 403,
      revoke: () =>
        board('PATCH', `/api/companies/${companyId}/members/${id}`, { body: { role: 'viewer' } }),
      assertUndone: await unchanged(path),
    };
  },
  'its own rights by an administrator who is disabled by then': async ({ member }) => {
    const { headers, id } = await member('viewer');
    const path = `/api/auth/operators/${id}`;
    await board('PATCH', path, { body: { isAdmin: true } });
    return {
      method: 'PATCH',
      path,
      headers,
      body: { disabled: false, isAdmin: true },
      refusal: 401,
      revoke: () => board('PATCH', path, { body: { disabled: true, isAdmin: false } }),
      assertUndone: async () => {
        const operators = (await board('GET', '/api/auth/operators?limit=200')).body as {
          items: { id: string; disabled?: boolean; disabledAt?: string | null; isAdmin: boolean }[];
        };
        expect(operators.items.find((operator) => operator.id === id)?.isAdmin).toBe(false);
      },
    };
  },
  'a note by an operator who is disabled by then': async ({ member }) => {
    const { headers, id } = await member('operator');
    return noteBy(headers, () =>
      board('PATCH', `/api/auth/operators/${id}`, { body: { disabled: true } }),
    );
  },
  'a note by a removed member': async ({ company: { companyId }, member }) => {
    const { headers, id } = await member('operator');
    const revoke = () => board('DELETE', `/api/companies/${companyId}/members/${id}`);
    return { ...noteBy({ ...headers, 'x-company-id': companyId }, revoke), refusal: 403 };
  },
  'a note by a session that logged out': async ({ member }) => {
    const { headers } = await member('operator');
    return noteBy(headers, () => system.as(headers)('POST', '/api/auth/logout'));
  },
  'a note in chunks by a session that was ended from another device': async ({ member }) => {
    const { headers, email } = await member('operator');
    const other = await elsewhere(email);
    return noteBy(headers, () => other('DELETE', '/api/auth/sessions'), true);
  },
  'a background job by a session that logged out': async ({ member }) => {
    const { headers } = await member('operator');
    const id = randomUUID();
    const note = { title: 'Too late', content: contentOf };
    const changes = [{ mutationId: '1', id, op: 'put', baseRevision: null, note }];
    return {
      method: 'POST',
      path: '/api/sync',
      headers,
      body: { clientId: 'late', mode: 'background', changes },
      refusal: 401,
      revoke: () => system.as(headers)('POST', '/api/auth/logout'),
      assertUndone: async () => expect((await board('GET', `/api/notes/${id}`)).status).toBe(404),
    };
  },
  'a key by a session that was ended from another device': async ({
    company: { agentId },
    member,
  }) => {
    const { headers, email } = await member('operator');
    const other = await elsewhere(email);
    const path = `/api/agents/${agentId}/keys`;
    return {
      method: 'POST',
      path,
      headers,
      body: { name: 'Too late' },
      refusal: 401,
      revoke: () => other('DELETE', '/api/auth/sessions'),
      assertUndone: await unchanged(path),
    };
  },
  'rights for another by an administrator who logged out': async ({ member }) => {
    const { headers, id } = await member('viewer');
    const other = await member('viewer');
    await board('PATCH', `/api/auth/operators/${id}`, { body: { isAdmin: true } });
    return {
      method: 'PATCH',
      path: `/api/auth/operators/${other.id}`,
      headers,
      body: { isAdmin: true },
      refusal: 401,
      revoke: () => system.as(headers)('POST', '/api/auth/logout'),
      assertUndone: async () => {
        const refused = await system.as(other.headers)('GET', '/api/auth/operators');
        expect(refused.status).toBe(403);
      },
    };
  },
  'a company by an operator who is no administrator any more': async ({ member }) => {
    const { headers, id } = await member('viewer');
    const name = `Too late ${randomUUID()}`;
    await board('PATCH', `/api/auth/operators/${id}`, { body: { isAdmin: true } });
    return {
      method: 'POST',
      path: '/api/companies',
      headers,
      body: { name },
      refusal: 403,
      revoke: () => board('PATCH', `/api/auth/operators/${id}`, { body: { isAdmin: false } }),
      assertUndone: async () => {
        const { body } = await system.as(headers)('GET', '/api/companies?limit=200');
        expect(JSON.stringify(body)).not.toContain(name);
      },
    };
  },
  'a new password by a session that logged out': async ({ member }) => {
    const { headers, email } = await member('viewer');
    return {
      method: 'PUT',
      path: '/api/auth/password',
      headers,
      body: { currentPassword: memberPassword, newPassword: 'another quiet harbour 8' },
      refusal: 401,
      revoke: () => system.as(headers)('POST', '/api/auth/logout'),
      assertUndone: async () => {
        const login = await system.as({ origin: system.baseUrl })('POST', '/api/auth/login', {
          body: { email, password: memberPassword },
        });
        expect(login.status).toBe(200);
      },
    };
  },
  'an invite accepted by a session that logged out (a public route)': async (world) => {
    const { headers, email } = await world.member('viewer');
    const other = await makeWorld();
    const invited = await board('POST', `/api/companies/${other.company.companyId}/invites`, {
      body: { email, role: 'owner' },
    });
    return {
      method: 'POST',
      path: '/api/auth/invites/accept',
      headers,
      body: { token: (invited.body as { token: string }).token },
      refusal: 401,
      revoke: () => system.as(headers)('POST', '/api/auth/logout'),
      assertUndone: await unchanged(`/api/companies/${other.company.companyId}/members`),
    };
  },
};

it.each(Object.keys(attempts))(
  '%s, completed after the revocation, is refused by both gateways and has no effect',
  async (name) => {
    const { attempt, statuses } = outcomes.get(name) ?? {};
    expect(statuses).toEqual([attempt?.refusal, attempt?.refusal]);
    await attempt?.assertUndone();
  },
);

const aNote = (headers: Headers): Upload => ({
  method: 'PUT',
  path: `/api/notes/${randomUUID()}`,
  headers,
  body: { title: 'In time', content: contentOf },
});
const aKey = ({ company: { agentId } }: World, headers: Headers): Upload => ({
  method: 'POST',
  path: `/api/agents/${agentId}/keys`,
  headers,
  body: { name: 'In time' },
});

const uploads: Readonly<Record<string, (world: World) => Upload | Promise<Upload>>> = {
  'a note by a key': ({ company: { key } }) => aNote(bearer(key)),
  'a note by a run': ({ company: { runToken } }) => aNote(bearer(runToken)),
  'a note by a member': async ({ member }) => aNote((await member('operator')).headers),
  'a renewal by its run': ({ company: { runId, runToken } }) => ({
    method: 'POST',
    path: `/api/runs/${runId}/renew`,
    headers: bearer(runToken),
    body: { scopes: ['notes:read', 'notes:write', 'agents:read', 'runs:write'] },
  }),
  'a key by a member': async (world) => aKey(world, (await world.member('operator')).headers),
  'a company by an administrator': async () => ({
    method: 'POST',
    path: '/api/companies',
    headers: await system.boardHeaders(),
    body: { name: 'In time' },
  }),
  'rights for another by an administrator': async ({ member }) => ({
    method: 'PATCH',
    path: `/api/auth/operators/${(await member('viewer')).id}`,
    headers: await system.boardHeaders(),
    body: { disabled: true },
  }),
};

it.each(Object.keys(uploads))(
  '%s, equally slow, is executed by both gateways if no access was revoked',
  (name) => {
    expect(served.get(name)?.filter((status) => status >= 300)).toEqual([]);
    expect(served.get(name)).toHaveLength(2);
  },
);

it('in local trusted mode the local operator is served, and a revoked key refused, by both gateways', async () => {
  const local = await startTestSystem('local_trusted', { replicas: { gateway: 2 } });
  try {
    const { baseUrl } = local;
    const api = local.as({});
    const company = await makeCompany(api, 'Local', { baseUrl, withInvite: false });
    const { companyId, agentId, keyId, key } = company;
    const baseUrls = gatewaysOf(local);
    const end = () => api('DELETE', `/api/agents/${agentId}/keys/${keyId}`);
    const [byOperator, byKey] = await Promise.all([
      complete(aNote({ 'x-company-id': companyId }), baseUrls, () => undefined),
      complete(aNote(bearer(key)), baseUrls, end),
    ]);
    expect(byOperator.filter((status) => status >= 300)).toEqual([]);
    expect(byKey).toEqual([401, 401]);
  } finally {
    await local.stop();
  }
}, 60_000);
