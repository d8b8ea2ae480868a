import { z } from 'zod';
import { byOperators } from '../access.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Whether the notes of a company are searched by meaning, and where they are sent for that. */
export const searchSettings = z
  .object({
    embeddings: z.boolean().meta({ description: 'Off unless an owner has switched it on' }),
    service: z
      .object({ host: z.string(), model: z.string(), dimensions: z.int() })
      .nullable()
      .meta({
        description:
          'The service that titles, folders and contents of notes, and queries, are sent to; null: this server has none',
      }),
    notes: z
      .object({ embedded: z.int(), total: z.int() })
      .meta({ description: 'Notes with vectors of this model, and all' }),
  })
  .meta({
    id: 'SearchSettings',
    description: 'How the notes of a company are searched beyond their words',
  });
export type SearchSettings = z.infer<typeof searchSettings>;

const route = {
  service: 'notes',
  path: '/api/companies/{companyId}/search-settings',
  tag: 'Companies',
  params: z.object({ companyId }),
} as const;

export const getSearchSettingsContract = routeContract({
  ...route,
  operationId: 'getSearchSettings',
  method: 'get',
  summary: 'Read whether notes are searched by meaning',
  responses: { 200: { description: 'The settings', schema: searchSettings } },
  errors: [],
  access: byOperators('viewer'),
});

export const putSearchSettingsContract = routeContract({
  ...route,
  operationId: 'putSearchSettings',
  method: 'put',
  summary: 'Switch search by meaning on or off',
  description: `While \`embeddings\` is on, the titles, folders and contents of all notes of the company, and the queries of searches
with \`match=best\`, of \`POST /api/context\` and of MCP, are sent to the \`service\` that the operator of this server has
configured. It returns vectors, by which searches rank. Off deletes the vectors; what the service keeps is between you and it.
The audit log of the company has who switched it.`,
  body: z.strictObject({ embeddings: z.boolean() }),
  responses: { 200: { description: 'The settings as they are now', schema: searchSettings } },
  errors: ['embeddings_not_configured'],
  access: byOperators('owner'),
});
