import { problem } from '@commonplace/contracts';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

const unavailable = {
  503: {
    description:
      '`service_unavailable`: a service or PostgreSQL is away, or the gateway is shutting down.',
    content: { 'application/problem+json': { schema: problem } },
  },
};

const operation = (
  operationId: string,
  summary: string,
  content: Record<string, { schema: z.ZodType }>,
) => ({
  operationId,
  tags: ['Meta'],
  summary,
  security: [],
  responses: { 200: { description: summary, content }, ...unavailable },
});

/** The public routes that the gateway answers itself. */
export const metaOperations: ZodOpenApiPathsObject = {
  '/healthz': {
    get: operation('getLiveness', 'The gateway is alive', {
      'application/json': { schema: health },
    }),
  },
  '/readyz': {
    get: operation('getReadiness', 'Gateway, services and PostgreSQL can work', {
      'application/json': { schema: health },
    }),
  },
  '/api/openapi.json': {
    get: operation('getOpenApi', 'This document', {
      'application/json': { schema: z.looseObject({}) },
    }),
  },
  '/api/docs': {
    get: operation('getDocs', 'A readable page of this document', {
      'text/html': { schema: z.string() },
    }),
  },
};
