import type { SchemaNeeds } from '@commonplace/checks';

/** The newest migration this code needs; a test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'auth',
  newest: '0015_create_oauth_records',
};
