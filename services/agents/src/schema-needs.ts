import type { SchemaNeeds } from '@commonplace/checks';

/** The newest migration this code needs; a test compares it with the folder `migrations`. */
export const schemaNeeds: SchemaNeeds = {
  service: 'agents',
  newest: '0029_sweep_active_connections',
};
