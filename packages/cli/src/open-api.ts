import { createClient, type ApiClient } from '@commonplace/client';
import { readAccess } from './config.ts';

/** Returns a client of the API with the credential of the environment. Throws a ConfigError. */
export const openApi = (): ApiClient => createClient(readAccess());
