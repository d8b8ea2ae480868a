import {
  companyId,
  errorCodes,
  problem,
  type ErrorCode,
  type RouteContract,
} from '@commonplace/contracts';
import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { errorsOfRoute, takesCredential } from './errors-of-route.ts';
import { problemHeaders, successHeaders } from './response-headers.ts';

const companyHeader = {
  'X-Company-Id': companyId.optional().meta({
    description:
      'The company to work in. An agent may name only its own; an operator narrows the request to one of its companies.',
  }),
};

const headersOf = (contract: RouteContract) => {
  const own = Object.entries(contract.headers ?? {}).map(
    ([name, description]) => [name, z.string().optional().meta({ description })] as const,
  );
  return z.object({
    ...(takesCredential(contract) ? companyHeader : {}),
    ...Object.fromEntries(own),
  });
};

/** A 304 or a page without a schema has no content; everything else is JSON unless it says otherwise. */
const successes = (contract: RouteContract): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(contract.responses).map(
      ([status, { description, schema, headers, contentType, eventStream, markdown, csv }]) => [
        status,
        {
          description,
          headers: successHeaders(headers, { isLimited: takesCredential(contract) }),
          ...(schema || contentType
            ? {
                content: {
                  [contentType ?? 'application/json']: { schema: schema ?? z.string() },
                  ...textContent('text/event-stream', eventStream),
                  ...textContent('text/markdown', markdown),
                  ...textContent('text/csv', csv),
                },
              }
            : {}),
        },
      ],
    ),
  );

/** The content of a type that is text, if the route declares it. */
const textContent = (type: string, description: string | undefined) =>
  description === undefined ? {} : { [type]: { schema: z.string().meta({ description }) } };

const setsCookie = ({ responses }: RouteContract): boolean =>
  Object.values(responses).some(({ headers }) => headers?.['Set-Cookie'] !== undefined);

/** The problems of an operation by status; their codes say what they mean. */
export const problems = (
  codes: readonly ErrorCode[],
  forWhom: Parameters<typeof problemHeaders>[1],
): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
        headers: problemHeaders(status, forWhom),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
};

/**
 * The credentials of a route, and the scope a bearer needs. OpenAPI 3.1 lets schemes other than OAuth 2
 * name required roles there.
 */
const securityOf = ({ access }: RouteContract): Record<string, string[]>[] => {
  if (access.kind === 'public' || access.kind === 'service') {
    return [];
  }
  const takesAgents =
    access.kind === 'company'
      ? access.agents !== 'never'
      : access.kind === 'caller' && access.agents;
  const takesOperators = access.kind !== 'company' || access.operators !== 'never';
  const required = access.kind === 'administrator' ? undefined : access.scope;
  const scopes = required === undefined || required === 'any' ? [] : [required];
  return [
    ...(takesAgents ? [{ bearer: scopes }] : []),
    ...(takesOperators ? [{ session: [] }] : []),
  ];
};

const bodyTypeOf = ({ bodyType }: RouteContract): string =>
  bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

/** Whether the route rejects agents without its scope. */
const needsScope = (contract: RouteContract): boolean =>
  errorsOfRoute(contract).includes('insufficient_scope');

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
          required: contract.needsBody === true || !contract.body.safeParse({}).success,
          content: { [bodyTypeOf(contract)]: { schema: contract.body } },
        },
      }
    : {}),
  responses: withProblems(
    successes(contract),
    problems(errorsOfRoute(contract), {
      isLimited: takesCredential(contract),
      needsScope: needsScope(contract),
      setsCookie: setsCookie(contract),
    }),
  ),
});

/** A status that the route declares itself may also have a problem. */
const withProblems = (
  declared: ZodOpenApiResponsesObject,
  found: ZodOpenApiResponsesObject,
): ZodOpenApiResponsesObject => {
  const both = Object.keys(declared).flatMap((status) => {
    const own = declared[status as keyof ZodOpenApiResponsesObject] as ZodOpenApiResponseObject;
    const problemOf = found[status as keyof ZodOpenApiResponsesObject] as
      | ZodOpenApiResponseObject
      | undefined;
    return problemOf
      ? [
          [
            status,
            { ...own, ...mergedContent(own, problemOf), headers: problemOf.headers },
          ] as const,
        ]
      : [];
  });
  return { ...found, ...declared, ...Object.fromEntries(both) };
};

const mergedContent = (own: ZodOpenApiResponseObject, other: ZodOpenApiResponseObject) => ({
  description: `${own.description}. ${other.description}`,
  content: { ...own.content, ...other.content },
});
