import { errorCodes, problem, type ErrorCode, type RouteContract } from '@commonplace/contracts';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { errorsOfRoute } from './errors-of-route.ts';

const companyHeader = {
  'X-Company-Id': z.uuid().optional().meta({
    description:
      'The company to work in. An agent may name only its own; an operator narrows the request to one of its companies.',
  }),
};

const headersOf = (contract: RouteContract) => {
  const own = Object.entries(contract.headers ?? {}).map(
    ([name, description]) => [name, z.string().optional().meta({ description })] as const,
  );
  return z.object({
    ...(contract.access.kind === 'company' ? companyHeader : {}),
    ...Object.fromEntries(own),
  });
};

const responseHeaders = (headers: Readonly<Record<string, string>> = {}) =>
  z.object({
    'X-Request-Id': z
      .string()
      .meta({ description: 'The id of this request, also in every log line about it' }),
    ...Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        z.string().optional().meta({ description }),
      ]),
    ),
  });

/** A 304 or a page without a schema has no content; everything else is JSON unless it says otherwise. */
const successes = (contract: RouteContract): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(contract.responses).map(
      ([status, { description, schema, headers, contentType, eventStream }]) => [
        status,
        {
          description,
          headers: responseHeaders(headers),
          ...(schema || contentType
            ? {
                content: {
                  [contentType ?? 'application/json']: { schema: schema ?? z.string() },
                  ...(eventStream === undefined ? {} : eventStreamContent(eventStream)),
                },
              }
            : {}),
        },
      ],
    ),
  );

const eventStreamContent = (description: string) => ({
  'text/event-stream': { schema: z.string().meta({ description }) },
});

const problems = (codes: readonly ErrorCode[]): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
        headers: responseHeaders(),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
};

const securityOf = ({ access }: RouteContract): Record<string, string[]>[] => {
  const takesAgents =
    access.kind === 'company'
      ? access.agents !== 'never'
      : access.kind === 'caller' && access.agents;
  const takesOperators = access.kind !== 'company' || access.operators !== 'never';
  if (access.kind === 'public') {
    return [];
  }
  return [...(takesAgents ? [{ bearer: [] }] : []), ...(takesOperators ? [{ session: [] }] : [])];
};

/** The OpenAPI operation of a route, from the schemas that validate it. */
export const operationOfRoute = (contract: RouteContract): ZodOpenApiOperationObject => ({
  operationId: contract.operationId,
  tags: [contract.tag],
  summary: contract.summary,
  ...(contract.description === undefined ? {} : { description: contract.description }),
  security: securityOf(contract),
  requestParams: {
    header: headersOf(contract),
    ...(contract.params ? { path: contract.params } : {}),
    ...(contract.query ? { query: contract.query } : {}),
  },
  ...(contract.body
    ? {
        requestBody: {
          required: !contract.body.safeParse({}).success,
          content: { 'application/json': { schema: contract.body } },
        },
      }
    : {}),
  responses: { ...problems(errorsOfRoute(contract)), ...successes(contract) },
});
