import type { ApiClient } from '@commonplace/client';
import { openApi } from './open-api.ts';
import { openOperatorApi } from './open-operator-api.ts';

const credentials = ['COMMONPLACE_API_KEY', 'COMMONPLACE_API_KEY_FILE', 'SERVICE_API_KEY'] as const;
const sessions = ['COMMONPLACE_SESSION', 'COMMONPLACE_SESSION_FILE'] as const;

/**
 * Returns a client of the API for what operators decide, and agents where the company says so: with the session of the
 * environment, else with its credential, else as the local operator. Throws a ConfigError.
 */
export const openDecidingApi = (
  companyId: string | undefined,
  environment = process.env,
): ApiClient => {
  const has = (names: readonly string[]) => names.some((name) => environment[name] !== undefined);
  return has(credentials) && !has(sessions) ? openApi() : openOperatorApi(companyId);
};
