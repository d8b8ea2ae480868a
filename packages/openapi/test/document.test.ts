import { describe, expect, it } from '@jest/globals';
import { publicRoutes, routeContract } from '@commonplace/contracts';
import { z } from 'zod';
import { docsPage, errorsOfRoute, openApiDocument } from '../src/index.ts';

const document = openApiDocument(publicRoutes);
type Operation = {
  operationId: string;
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
};
const operations = Object.values(document.paths ?? {}).flatMap((item) =>
  Object.values(item as Record<string, Operation>),
);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 of the release the specification names', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('2.0.10');
  });

  it('has the paths that the interface specification fixes', () => {
    expect(Object.keys(document.paths ?? {})).toEqual(
      expect.arrayContaining([
        '/api/notes',
        '/api/notes/{id}',
        '/api/sync',
        '/api/agents/{agentId}/keys',
        '/api/agents/me',
      ]),
    );
  });

  it('names every operation once and types its problems', () => {
    const ids = operations.map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations) {
      expect(Object.keys(operation.responses)).toContain('503');
    }
  });

  it('shows no internal route', () => {
    expect(JSON.stringify(document)).not.toContain('/internal/');
  });

  it('names the scope of every route that agents may call, and its error', () => {
    for (const contract of publicRoutes) {
      const scope = 'scope' in contract.access ? contract.access.scope : 'any';
      const { security = [] } =
        operations.find(({ operationId }) => operationId === contract.operationId) ?? {};
      const named = security.flatMap((each) => each['bearer'] ?? []);
      expect([contract.operationId, named]).toEqual([
        contract.operationId,
        scope === 'any' ? [] : [scope],
      ]);
      expect(errorsOfRoute(contract).includes('insufficient_scope')).toBe(scope !== 'any');
    }
  });

  it('declares 401 and 403 for every route of a company', () => {
    for (const contract of publicRoutes.filter(({ access }) => access.kind === 'company')) {
      expect(errorsOfRoute(contract)).toEqual(
        expect.arrayContaining(['credential_required', 'cross_company']),
      );
    }
  });
});

type Response = { readonly headers?: Readonly<Record<string, unknown>> };
type Parameter = { in: string; name: string; schema: Record<string, unknown> };
const parametersOf = (operationId: string): Parameter[] =>
  (
    operations.find((operation) => operation.operationId === operationId) as unknown as {
      parameters: Parameter[];
    }
  ).parameters;
const schemaOf = (operationId: string, name: string) =>
  parametersOf(operationId).find((parameter) => parameter.name === name)?.schema;

describe('the parameters in the document', () => {
  it('that are numbers are integers with the bounds that the server holds', () => {
    expect(schemaOf('listNotes', 'limit')).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    });
    expect(schemaOf('watchChanges', 'wait')).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: 25,
      default: 0,
    });
    expect(schemaOf('watchChanges', 'since')).toMatchObject({ type: 'integer', minimum: 0 });
    expect(schemaOf('getRevision', 'revision')).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 2_147_483_647,
    });
  });

  it('that are a yes or no are booleans', () => {
    for (const name of ['pinned', 'archived']) {
      expect(schemaOf('listNotes', name)).toMatchObject({ type: 'boolean' });
      expect(schemaOf('listNotes', name)).not.toHaveProperty('enum');
    }
  });

  it('name X-Company-Id wherever the gateway reads it, with the pattern of every other company id', () => {
    const pattern = schemaOf('getCompany', 'companyId')?.['pattern'];
    for (const contract of publicRoutes) {
      const header = schemaOf(contract.operationId, 'X-Company-Id');
      expect([contract.operationId, header?.['pattern']]).toEqual([
        contract.operationId,
        contract.access.kind === 'public' ? undefined : pattern,
      ]);
    }
  });
});

describe('the responses in the document', () => {
  const responses = operations.flatMap(({ operationId, responses: all }) =>
    Object.entries(all).map(([status, response]) => ({
      where: `${operationId} ${status}`,
      status: Number(status),
      headers: Object.keys((response as Response).headers ?? {}),
    })),
  );

  const needsScope = (where: string): boolean =>
    operations.some(
      ({ operationId, security = [] }) =>
        where.startsWith(`${operationId} `) &&
        security.some((each) => (each['bearer'] ?? []).length > 0),
    );

  it('have an id and say who may keep them', () => {
    for (const { where, headers } of responses) {
      expect([where, headers]).toEqual([
        where,
        expect.arrayContaining(['X-Request-Id', 'Cache-Control']),
      ]);
    }
  });

  it('say when to try again with every 429 and 503, and challenge with every 401', () => {
    for (const { where, status, headers } of responses) {
      const isChallenged = status === 401 || (status === 403 && needsScope(where));
      expect([where, headers.includes('WWW-Authenticate')]).toEqual([where, isChallenged]);
    }
    for (const { where, headers } of responses.filter(({ status }) =>
      [429, 503].includes(status),
    )) {
      expect([where, headers]).toEqual([where, expect.arrayContaining(['Retry-After'])]);
    }
  });

  it('report the remaining rate wherever there is a credential', () => {
    for (const { where, headers } of responses) {
      const { access } = publicRoutes.find(({ operationId }) =>
        where.startsWith(`${operationId} `),
      ) ?? { access: { kind: 'public' } };
      const isLimited = access.kind !== 'public';
      expect([where, headers.includes('RateLimit')]).toEqual([where, isLimited]);
      expect([where, headers.includes('RateLimit-Policy')]).toEqual([where, isLimited]);
    }
  });

  it('include refusals for every operation, the pages about the system among them', () => {
    for (const { operationId, responses: all } of operations) {
      const statuses = Object.keys(all);
      expect([operationId, statuses]).toEqual([
        operationId,
        expect.arrayContaining(['400', '414', '417', '431', '500', '503']),
      ]);
    }
  });
});

describe('the readable page', () => {
  it('runs nothing that a description might smuggle in', () => {
    const hostile = routeContract({
      operationId: 'hostile',
      service: 'notes',
      method: 'get',
      path: '/api/hostile',
      tag: 'Notes',
      summary: '<script>alert(1)</script>',
      responses: { 200: { description: '<img src=x onerror=alert(1)>', schema: z.object({}) } },
      errors: [],
      access: { kind: 'public', reason: 'a test' },
    });
    const page = docsPage(openApiDocument([hostile]));
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
  });

  it('has a section for every operation', () => {
    const page = docsPage(document);
    for (const operation of operations) {
      expect(page).toContain(`id="${operation.operationId}"`);
    }
  });
});
