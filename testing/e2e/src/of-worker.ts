import { requireOutside } from '@commonplace/testkit/require-outside';
import type * as WorkerSystem from './worker-system.ts';

/** A browser and a system that the test files of a worker share; the first one that uses them starts them. */
export const { browserOfWorker, systemOfWorker } = requireOutside(
  import.meta.filename,
  './worker-system.ts',
) as typeof WorkerSystem;
