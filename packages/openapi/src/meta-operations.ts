import { z } from 'zod';
import type { HeaderContract } from '@commonplace/contracts';
import type { ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { errorsOfGateway } from './errors-of-route.ts';
import { problems } from './operation-of-route.ts';
import { successHeaders } from './response-headers.ts';

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

type Page = {
  readonly operationId: string;
  readonly summary: string;
  readonly contentType: string;
  readonly schema: z.ZodType;
  readonly headers: Readonly<Record<string, HeaderContract>>;
};

const responsesOf = ({ summary, contentType, schema, headers }: Page) => ({
  ...problems(errorsOfGateway, { isLimited: false }),
  200: {
    description: summary,
    headers: successHeaders(headers, { isLimited: false }),
    content: { [contentType]: { schema } },
  },
});

const operation = (page: Page, more: { readonly responses?: ZodOpenApiResponsesObject } = {}) => ({
  operationId: page.operationId,
  tags: ['Meta'],
  summary: page.summary,
  security: [],
  ...more,
  responses: { ...responsesOf(page), ...more.responses },
});

const healthHeaders = {
  'Cache-Control': { description: 'Nobody may keep it', value: 'no-store' },
} as const;

const healthOperation = (operationId: string, summary: string) =>
  operation({
    operationId,
    summary,
    contentType: 'application/json',
    schema: health,
    headers: healthHeaders,
  });

const taggedHeaders = {
  ETag: { description: 'Changes with the document' },
  'Cache-Control': { description: 'Revalidate it', value: 'public, no-cache' },
} as const;

/** A text that a client may cache as long as its ETag is current. */
const taggedOperation = (page: Page) => ({
  ...operation(page, {
    responses: {
      304: {
        description: 'It still has the ETag of If-None-Match',
        headers: successHeaders(taggedHeaders, { isLimited: false }),
      },
    },
  }),
  requestParams: {
    header: z.object({
      'If-None-Match': z
        .string()
        .optional()
        .meta({ description: 'Returns 304 when the resource still has this ETag.' }),
    }),
  },
});

const guideOperation = (operationId: string, summary: string, contentType: string) =>
  taggedOperation({
    operationId,
    summary,
    contentType,
    schema: z.string(),
    headers: taggedHeaders,
  });

/** The public routes of the gateway itself. */
export const metaOperations: ZodOpenApiPathsObject = {
  '/healthz': { get: healthOperation('getLiveness', 'The gateway is alive') },
  '/readyz': {
    get: healthOperation('getReadiness', 'Gateway, services and PostgreSQL can work'),
  },
  '/api/openapi.json': {
    get: taggedOperation({
      operationId: 'getOpenApi',
      summary: 'This document',
      contentType: 'application/json',
      schema: z.looseObject({}),
      headers: taggedHeaders,
    }),
  },
  '/api/docs': {
    get: taggedOperation({
      operationId: 'getDocs',
      summary: 'A readable page of this document',
      contentType: 'text/html',
      schema: z.string(),
      headers: {
        ...taggedHeaders,
        'Content-Security-Policy': {
          description: 'Nothing but the page and its own style may load or run',
          isOptional: true,
        },
      },
    }),
  },
  '/api/docs/agents.md': {
    get: guideOperation(
      'getAgentsGuide',
      'A guide of at most 8 KB for language models',
      'text/markdown',
    ),
  },
  '/llms.txt': { get: guideOperation('getLlmsTxt', 'The same guide', 'text/plain') },
};
