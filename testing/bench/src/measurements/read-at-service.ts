import { fileURLToPath } from 'node:url';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { runServer } from '../run-child.ts';
import { readers } from '../system/world.ts';

const bareRead = fileURLToPath(import.meta.resolve('../limits/bare-read.ts'));

/** Reads of notes, a note a reader, at the service itself, beside a server that reads the row and does nothing else. */
export const readAtService: Measurement = {
  name: 'service',
  measure: async ({ product, world, effort }) => {
    const { company, notePaths, signedFor } = world;
    const input = {
      databaseUrl: product.databaseUrl,
      companyId: company.companyId,
      what: 'note',
    };
    const bare = await runServer({ file: bareRead, input });
    const read = (url: string) => async () => {
      const headers = signedFor(company);
      const requests = notePaths.map((path) => ({ method: 'GET', path, headers }) as const);
      return runLoad({ url, requests, connections: readers, seconds: effort.seconds });
    };
    const ways = { ours: read(product.services['notes']?.url ?? ''), limit: read(bare.url) };
    try {
      await interleave(effort.warmUpRounds, ways);
      const figures = await interleave(effort.rounds, ways);
      return [
        {
          name: 'read a note at the notes service',
          unit: 'requests/s',
          ...compare(
            figures.ours.map((one) => one.perSecond),
            figures.limit.map((one) => one.perSecond),
          ),
          reach: { of: 'ratio', is: 'at least', bound: 0.5 },
        },
      ];
    } finally {
      bare.stop();
    }
  },
};
