import { z } from 'zod';
import { queryInt, queryIntOr } from '../common.ts';
import { noteId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { noteParams } from './note-route.ts';

const revision = queryInt(1, 2_147_483_647);

/** How one field differs between two versions. */
export const fieldDiff = z
  .object({
    field: z.enum([
      'deleted',
      'title',
      'folder',
      'tags',
      'pinned',
      'archived',
      'properties',
      'content',
    ]),
    diff: z.string().meta({
      description:
        'Hunks of a unified diff; tags and properties are compared as JSON with sorted keys',
    }),
    truncated: z.boolean().meta({
      description:
        'The diff ends after 64 Ki characters, or shows a part as removed and added as a whole, because a comparison would take too long',
    }),
  })
  .meta({ id: 'FieldDiff', description: 'How one field differs between two versions' });
export type FieldDiff = z.infer<typeof fieldDiff>;

export const diffNoteContract = routeContract({
  operationId: 'diffNote',
  service: 'notes',
  method: 'get',
  path: '/api/notes/{id}/diff',
  tag: 'Notes',
  summary: 'Compare two versions of a note',
  description:
    'A unified diff of each field that differs. `to` may be older than `from`. Deleted notes have diffs too.',
  params: noteParams,
  query: z.object({
    from: revision.meta({ description: 'The version to start from' }),
    to: revision.optional().meta({ description: 'Default: the current version' }),
    context: queryIntOr(3, 0, 20).meta({ description: 'Equal lines around each change' }),
  }),
  responses: {
    200: {
      description: 'The differences',
      schema: z
        .object({ noteId, from: z.int(), to: z.int(), fields: z.array(fieldDiff) })
        .meta({ id: 'NoteDiff', description: 'The differences between two versions of a note' }),
    },
  },
  errors: ['not_found'],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});
