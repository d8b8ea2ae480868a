import { z } from 'zod';
import { byServices } from '../access.ts';
import { noteWork } from '../auth/instance.ts';
import { routeContract } from '../route-contract.ts';

const migration = z.string().nullable().meta({ description: 'The newest that has run' });

const route = {
  method: 'post',
  path: '/internal/describe',
  tag: 'Internal',
  body: z.strictObject({}),
  errors: [],
  access: byServices('auth'),
} as const;

/** Auth → agents: the state of the service. */
export const describeAgentsContract = routeContract({
  ...route,
  operationId: 'describeAgents',
  service: 'agents',
  summary: 'Describe the agents service',
  responses: { 200: { description: 'Its state', schema: z.object({ migration }) } },
});

/** Auth → notes: the state of the service and its work. */
export const describeNotesContract = routeContract({
  ...route,
  operationId: 'describeNotes',
  service: 'notes',
  summary: 'Describe the notes service',
  responses: {
    200: { description: 'Its state', schema: z.object({ migration, work: noteWork }) },
  },
});
