import { join } from 'node:path';

/** Where the folders of the services are in this repository, and in the image that migrates. */
export const repositoryServices = join(import.meta.dirname, '../../../services');
