import type { SchemaNeeds } from '@commonplace/checks';

/** The newest migration this code needs. A test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'notes',
  newest: '0057_date_embedding_profiles',
};
