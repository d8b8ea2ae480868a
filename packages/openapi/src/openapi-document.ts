import type { RouteContract } from '@commonplace/contracts';
import { createDocument } from 'zod-openapi';
import { inputComponents } from './input-components.ts';
import { metaOperations } from './meta-operations.ts';
import { operationOfRoute } from './operation-of-route.ts';
import { sharedHeaders } from './response-headers.ts';
import { tagsOf } from './tags.ts';

/** The release label of the interface specification. */
export const apiVersion = '2.0.10';

const description = `Company-scoped notes and access for AI agents.

Agents authenticate with a bearer: a run JWT (HMAC-SHA256) or an API key. Operators hold a session cookie; in
local trusted mode a request without a bearer comes from the local board operator. The scope that an agent needs
is the role of \`bearer\` in \`security\`; without it: 403 \`insufficient_scope\`. Every entity belongs to one
company, and access to another company is 403. Errors are \`application/problem+json\` (RFC 9457) with a stable
\`code\`. Times are RFC 3339 UTC with milliseconds, ids are UUIDs, money is integer cents. For a language model,
\`GET /llms.txt\` has the same in 8 KB.

Every GET route also accepts HEAD. Any other method is 405 \`method_not_allowed\`, and \`Allow\` names those there are; a path
that is not here is 404 \`route_not_found\`. Query parameters that are unknown, or repeated where they are no list,
are 400. Every response carries \`X-Content-Type-Options: nosniff\` and \`Referrer-Policy: no-referrer\`; where the
public URL is https, \`Strict-Transport-Security\`; for the origins the operator allows, \`Vary: Origin\` and the
\`Access-Control-*\` headers.`;

const pathsOf = (contracts: readonly RouteContract[]) => {
  const paths: Record<string, Record<string, ReturnType<typeof operationOfRoute>>> = {};
  for (const contract of contracts) {
    (paths[contract.path] ??= {})[contract.method] = operationOfRoute(contract);
  }
  return paths;
};

/** The OpenAPI 3.1 document of the given routes, generated from the schemas that validate them. */
export const openApiDocument = (contracts: readonly RouteContract[]): OpenApiDocument =>
  createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Commonplace',
        version: apiVersion,
        description,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/', description: 'The gateway that serves this document' }],
      tags: tagsOf(contracts),
      paths: { ...pathsOf(contracts), ...metaOperations },
      components: {
        headers: sharedHeaders,
        schemas: inputComponents(),
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'A run JWT (HS256) or an API key of an agent (`cpk_…`).',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'commonplace.sid',
            description: 'The session of an operator; `__Host-commonplace.sid` under https.',
          },
        },
      },
    },
    { reused: 'inline' },
  );

export type OpenApiDocument = ReturnType<typeof createDocument>;
