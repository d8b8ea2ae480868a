import type { SchemaNeeds } from '@commonplace/db';

/** The newest migration this code needs; a test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'auth',
  newest: '0014_add_access_epoch',
};
