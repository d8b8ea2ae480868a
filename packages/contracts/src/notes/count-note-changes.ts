import { z } from 'zod';
import { dayRangeQuery } from '../day-range.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/** The number of versions that one request counts. */
export const countedVersionsMax = 100_000;

const dayChanges = z
  .object({
    day: z.iso.date(),
    notes: z.int().nullable().meta({ description: 'Notes that changed; null: not counted' }),
    changes: z.int().nullable().meta({ description: 'Their stored versions; null: not counted' }),
  })
  .meta({ id: 'NoteChangesOfDay', description: 'How many notes changed on a day' });

export const noteChangeCounts = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    items: z.array(dayChanges).meta({ description: 'Every day of the range in order' }),
    countedFrom: timestamp
      .nullable()
      .meta({ description: 'Earlier days are not counted; null: all are' }),
  })
  .meta({ id: 'NoteChangeCounts', description: 'How many notes changed by day' });
export type NoteChangeCounts = z.infer<typeof noteChangeCounts>;

export const countNoteChangesContract = routeContract({
  operationId: 'countNoteChanges',
  service: 'notes',
  method: 'get',
  path: '/api/notes/activity/days',
  tag: 'Notes',
  summary: 'Count the changed notes by day',
  description: `How many notes changed on each UTC day, and by how many stored versions, deletions and archived notes included. One
request counts the newest ${countedVersionsMax.toLocaleString('en')} versions of the range; days before them are null, and \`countedFrom\` says where
counting began.`,
  query: dayRangeQuery({}),
  responses: { 200: { description: 'The counts', schema: noteChangeCounts } },
  errors: [],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
  },
});
