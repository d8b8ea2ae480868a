import type { SchemaNeeds } from '@commonplace/db';

/** The newest migration this code needs; a test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'agents',
  newest: '0025_list_keys_of_companies',
};
