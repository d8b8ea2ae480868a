import { join } from 'node:path';

/** Where the folders of the services are in this repository. */
export const repositoryServices = join(import.meta.dirname, '../../../services');
