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
  summary: 'Push and pull changes',
  description: `One round trip: applies the changes in order, then returns everything that changed since the cursor, in a new
snapshot that includes the push. An empty body is a full pull from the start.

A cursor never passes a change that commits later. Mutations are idempotent per company, caller, client and
\`mutationId\`: a retry returns the first result, marked \`replayed\`. If its note was deleted since, \`changes\` has the tombstone, even
in a first pull, which otherwise omits deletions (for example after 410). So apply results before \`changes\`, and the
higher revision in each. A concurrent edit is merged line by line on the revision it was based on; what cannot be
merged is kept as a conflict copy, a note with \`conflictOf\`. An edit wins over a deletion.

At most 500 changes and 8 MiB are processed in the foreground. With \`mode: "background"\` (or \`Prefer: respond-async\`)
up to 10,000 changes and 32 MiB are stored and processed in the background: 202.

An agent needs the scope \`notes:write\` as well to send changes or to process in the background.`,
  headers: { Prefer: '`respond-async`: process in the background.' },
  body: syncRequest,
  bodyBytesMax: syncBytesMax.background,
  responses: {
    200: { description: 'The results of the changes, and the pulled changes', schema: syncResult },
    202: {
      description: 'Stored; processing continues in the background',
      schema: syncJobReceipt,
      headers: { Location: { description: 'The URL of the job' } },
    },
  },
  errors: ['cursor_expired', 'role_insufficient'],
  access: {
    kind: 'company',
    company: 'selected',
    agents: 'own_company',
    scope: 'notes:read',
    grants: 'kept',
    operators: 'viewer',
    state: 'handler',
  },
});
