import type { SchemaNeeds } from '@commonplace/db';

/** The schema this code works on: its newest migration. A test holds it to the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'agents',
  newest: '0010_list_runs_of_companies',
};
