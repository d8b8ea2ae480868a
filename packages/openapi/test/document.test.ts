import { describe, expect, it } from '@jest/globals';
import { publicRoutes, routeContract } from '@commonplace/contracts';
import { z } from 'zod';
import { docsPage, errorsOfRoute, openApiDocument } from '../src/index.ts';

const document = openApiDocument(publicRoutes);
type Operation = { operationId: string; responses: Record<string, unknown>; security?: unknown[] };
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

  it('declares 401 and 403 for every route of a company', () => {
    for (const contract of publicRoutes.filter(({ access }) => access.kind === 'company')) {
      expect(errorsOfRoute(contract)).toEqual(
        expect.arrayContaining(['credential_required', 'cross_company']),
      );
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
      access: { kind: 'public', because: 'a test' },
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
