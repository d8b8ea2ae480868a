import { setFlagsFromString } from 'node:v8';

/**
 * Keeps hidden classes over idle times. After eight idle seconds V8 collects garbage to save memory, and drops
 * the hidden classes without live objects. Optimized code then deoptimizes: a read cost the gateway a seventh
 * more processor time for a minute. With this flag, V8 still collects but keeps them (docs/adr/0032).
 */
export const keepHiddenClasses = (): void => {
  setFlagsFromString('--no-memory-reducer-favors-memory');
};

/**
 * Lets the heap grow to three times what is in use before a full collection, for processes with large bodies.
 * V8 counts buffers as growth of the heap. A gateway uses 20 MB, so pages of 700 KB caused four full
 * collections a second, each of which freed 1 MB and which took half the time of the request (docs/adr/0032).
 */
export const raiseHeapGrowthLimit = (): void => {
  setFlagsFromString('--heap-growing-percent=200');
};

/**
 * Bounds the young generation of threads that start from now on: it takes up to three times `semiSpaceMegabytes`. The flag
 * `--max-semi-space-size` of the command line, which is for the main thread, overrides a thread's own
 * `maxYoungGenerationSizeMb` with 48 MB. Changing it has no effect on the main thread (docs/adr/0032).
 */
export const limitYoungGenerationOfThreads = (semiSpaceMegabytes: number): void => {
  setFlagsFromString(`--max-semi-space-size=${semiSpaceMegabytes}`);
};
