import { fileURLToPath } from 'node:url';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { runServer } from '../run-child.ts';
import { readers } from '../system/environment.ts';

const bareRead = fileURLToPath(import.meta.resolve('../baselines/bare-read.ts'));

/** Reads of one note per reader at the service; the baseline is a server that only reads the row. */
export const readAtService: Measurement = {
  name: 'service',
  // Through the gateway it is what clients get.
  isLeftOutWhenQuick: true,
  measure: async ({ product, environment, profile }) => {
    const { company, notePaths, signedFor } = environment;
    const input = {
      databaseUrl: product.databaseUrl,
      companyId: company.companyId,
      what: 'note',
    };
    const bare = await runServer({ file: bareRead, input });
    const read = (url: string) => async () => {
      const headers = signedFor(company);
      const requests = notePaths.map((path) => ({ method: 'GET', path, headers }) as const);
      return runLoad({ url, requests, connections: readers, seconds: profile.seconds });
    };
    const variants = { ours: read(product.services.notes.url), baseline: read(bare.url) };
    try {
      await interleave(profile.warmUpRounds, variants);
      const figures = await interleave(profile.rounds, variants);
      return [
        {
          name: 'read a note at the notes service',
          unit: 'requests/s',
          ...compare(
            figures.ours.map((one) => one.perSecond),
            figures.baseline.map((one) => one.perSecond),
          ),
          target: { of: 'ratio', is: 'at least', bound: 0.75 },
        },
      ];
    } finally {
      bare.stop();
    }
  },
};
