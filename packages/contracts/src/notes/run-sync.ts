import { routeContract } from '../route-contract.ts';
import { syncJobReceipt } from './sync-job.ts';
import { syncBytesMax, syncRequest } from './sync-request.ts';
import { syncResult } from './sync-result.ts';

export const runSyncContract = routeContract({
  operationId: 'runSync',
  service: 'notes',
  method: 'post',
  path: '/api/sync',
  tag: 'Synchronisation',
  summary: 'Push changes and pull what changed',
  description: `One round trip: the changes are applied in order, then everything that changed since the cursor is returned, in a
fresh snapshot, so that the answer holds the effect of the push. An empty body is a full pull from the start.

A cursor never passes a change that commits later. Mutations are idempotent per company, caller, client and
\`mutationId\`: a retry gets the first result back, marked \`replayed\`. If its note was deleted since, the tombstone comes
with it in \`changes\`, also where a first pull leaves deletions out (after 410, say): take results in before \`changes\`,
and within both the higher revision. An edit of something that changed meanwhile is
merged by lines over the revision it was based on; what cannot be merged stays on both sides, as a note with
\`conflictOf\`. An edit beats a deletion.

At most 500 changes and 8 MiB are answered at once. With \`mode: "background"\` (or \`Prefer: respond-async\`) up to 10,000
changes and 32 MiB are stored and answered with 202.`,
  headers: { Prefer: '`respond-async`: work in the background.' },
  body: syncRequest,
  bodyBytesMax: syncBytesMax.background,
  responses: {
    200: { description: 'What became of the changes, and what changed', schema: syncResult },
    202: {
      description: 'Stored; the work goes on in the background',
      schema: syncJobReceipt,
      headers: { Location: { description: 'Where the job can be read' } },
    },
  },
  errors: ['cursor_expired', 'role_insufficient'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    operators: 'viewer',
    state: 'handler',
  },
});
