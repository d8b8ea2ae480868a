import type { ServerResponse } from 'node:http';
import { companyId, noteId, routeContract } from '@commonplace/contracts';
import { identityMinter, identityVerifier, signingKeys, type Caller } from '@commonplace/identity';
import { z } from 'zod';
import { buildApp, createLog, defineRoute, reply, type AppOptions } from '../src/index.ts';

export const companyA = companyId.parse('0198a000-0000-7000-8000-00000000000a');
export const companyB = companyId.parse('0198a000-0000-7000-8000-00000000000b');
export const ownNote = noteId.parse('0198a000-0000-7000-8000-0000000000a1');
export const foreignNote = noteId.parse('0198a000-0000-7000-8000-0000000000b1');
export const absentNote = noteId.parse('0198a000-0000-7000-8000-0000000000c1');

const keys = signingKeys(['test-only-internal-identity-secret-0001']);
const mintFromGateway = identityMinter(keys, 'gateway');

const writeExample = routeContract({
  operationId: 'writeExample',
  service: 'notes',
  method: 'put',
  path: '/api/examples/{id}',
  tag: 'Examples',
  summary: 'Write an example',
  params: z.object({ id: noteId }),
  query: z.object({ tag: z.array(z.string()).optional(), dry: z.enum(['true']).optional() }),
  body: z.strictObject({ text: z.string().max(10) }),
  responses: {
    200: { description: 'Written', schema: z.object({ id: noteId, text: z.string() }) },
  },
  errors: [],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:write',
    operators: 'operator',
    entities: { id: 'note' },
  },
});

const openExample = routeContract({
  operationId: 'openExample',
  service: 'notes',
  method: 'get',
  path: '/api/examples/open',
  tag: 'Examples',
  summary: 'Greet',
  responses: { 200: { description: 'A greeting', schema: z.object({ hello: z.string() }) } },
  errors: [],
  access: { kind: 'public', reason: 'a test greets everybody' },
});

const watchExample = routeContract({
  operationId: 'watchExample',
  service: 'notes',
  method: 'get',
  path: '/api/examples/stream',
  tag: 'Examples',
  summary: 'Watch',
  responses: { 200: { description: 'Silence', schema: z.object({}), eventStream: 'nothing' } },
  errors: [],
  access: { kind: 'public', reason: 'a test watches nothing' },
});

const owners = new Map([
  [String(ownNote), companyA],
  [String(foreignNote), companyB],
]);

/** An application with one company route and one public one, over the real pipeline. */
export const exampleApp = (options: Partial<AppOptions> = {}) =>
  buildApp({
    routes: [
      defineRoute(writeExample, async ({ params, body }) =>
        reply(200, { id: params.id, text: body.text, leaked: 'dropped by the schema' }),
      ),
      defineRoute(openExample, async () => reply(200, { hello: 'world' })),
      defineRoute(watchExample, async () => ({
        status: 200 as const,
        headers: { 'Content-Type': 'text/event-stream' },
        stream: (res: ServerResponse) => void res.write('retry: 1000\n\n'),
      })),
    ],
    verifyIdentity: identityVerifier(keys),
    log: createLog('example', 'silent'),
    owners: { note: async (id) => owners.get(id) ?? null },
    isReady: async () => undefined,
    ...options,
  });

/** The headers a gateway would send for this caller. */
export const headersOf = (caller: Caller): Record<string, string> => {
  const company =
    caller.kind === 'agent'
      ? caller.companyId
      : caller.kind === 'operator'
        ? caller.selectedCompanyId
        : null;
  return {
    'x-gateway-identity': mintFromGateway(caller),
    ...(company ? { 'x-company-id': company } : {}),
  };
};
