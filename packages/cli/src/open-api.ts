import { createClient, type ApiClient } from '@commonplace/client';
import { readAccess } from './config.ts';

/**
 * Returns a client of the API with the credential of the environment, for this company if one is named. Throws a
 * ConfigError.
 */
export const openApi = (companyId?: string): ApiClient =>
  createClient({ ...readAccess(), companyId });
