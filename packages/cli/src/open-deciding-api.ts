import type { ApiClient } from '@commonplace/client';
import { isAgent } from './config.ts';
import { openApi } from './open-api.ts';
import { openOperatorApi } from './open-operator-api.ts';

/**
 * Returns a client of the API for what operators decide, and agents where the company says so: with the session of the
 * environment, else with its credential, else as the local operator. Throws a ConfigError.
 */
export const openDecidingApi = (companyId: string | undefined): ApiClient =>
  isAgent() ? openApi(companyId) : openOperatorApi(companyId);
