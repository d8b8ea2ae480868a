import { z } from 'zod';
import { longPageQuery, pageOf } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteFolder, noteTag } from './note-input.ts';

const count = z.int().meta({ description: 'Notes that are not deleted, archived ones included' });

/** False while the notes written before the upgrade to this release are still being added. */
export const isComplete = z.boolean().meta({
  description:
    'Every earlier write is included. False for some time after an upgrade or a large import: retry later.',
});

const access = {
  kind: 'company',
  company: 'selected',
  agents: 'own_company',
  scope: 'notes:read',
  grants: 'kept',
  operators: 'viewer',
} as const;

export const listFoldersContract = routeContract({
  operationId: 'listFolders',
  service: 'notes',
  method: 'get',
  path: '/api/notes/folders',
  tag: 'Notes',
  summary: 'List the folders with notes',
  description: `In byte order, each with the number of notes directly in it; the root is \`""\`. A folder exists while a
note is in it, so \`a\` is not listed when only \`a/b\` holds notes. A page takes constant work, whatever the number of notes.`,
  query: z.object({
    ...longPageQuery,
    folder: noteFolder.optional().meta({ description: 'This folder and its subfolders' }),
  }),
  responses: {
    200: {
      description: 'A page of folders',
      schema: pageOf(z.object({ folder: z.string(), notes: count })).extend({ isComplete }),
    },
  },
  errors: [],
  access,
});

export const listTagsContract = routeContract({
  operationId: 'listTags',
  service: 'notes',
  method: 'get',
  path: '/api/notes/tags',
  tag: 'Notes',
  summary: 'List the tags in use',
  description:
    'In byte order, each with the number of notes that have it. A page takes constant work, whatever the number of notes.',
  query: z.object({
    ...longPageQuery,
    prefix: noteTag.optional().meta({ description: 'Only tags that start with this text' }),
  }),
  responses: {
    200: {
      description: 'A page of tags',
      schema: pageOf(z.object({ tag: z.string(), notes: count })).extend({ isComplete }),
    },
  },
  errors: [],
  access,
});
