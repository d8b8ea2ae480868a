import { writeApiTypes } from './packages/write-api-types.ts';

/* `pnpm openapi` ends with this: it writes the types of the client for the new document. */
await writeApiTypes();
