import { dirname } from 'node:path';

/** The folder of the checkout, so that every tool works from wherever it is called. */
export const repositoryRoot = dirname(import.meta.dirname);
