import type { SchemaNeeds } from '@commonplace/checks';

/** The newest migration this code needs; a test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'auth',
  newest: '0017_add_proofs_of_sessions',
};
