import { fileURLToPath } from 'node:url';
import { runTask } from '../run-child.ts';
import type { Load, LoadFigures } from './load.ts';

const file = fileURLToPath(import.meta.resolve('./load-process.ts'));

/** Puts a load on a server, from a process of its own. More than a few failures are no measurement. */
export const runLoad = async (load: Load): Promise<LoadFigures> => {
  const figures = await runTask<LoadFigures>({ file, input: load });
  if (figures.failed > figures.requests / 100) {
    throw new Error(
      `${figures.failed} of ${figures.requests} requests to ${load.url}${load.requests[0]?.path} failed`,
    );
  }
  return figures;
};
