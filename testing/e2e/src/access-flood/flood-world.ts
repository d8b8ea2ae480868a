import type { RunningSystem } from '@commonplace/standalone';
import { bearer, type Api } from '../call-api.ts';
import type { CompanyWorld } from '../world.ts';
import { rowsOf, type Report } from './report.ts';
import { sendRepeatedly, type Figures, type LoadClient } from './send-repeatedly.ts';

/** How long each flood lasts. */
export const floodSeconds = 10;

/** A name for the report, and what sends the requests. */
export type Flood = { readonly name: string; readonly flood: () => Promise<Figures> };

/** What the floods have in common. */
export type FloodWorld = {
  readonly system: Pick<RunningSystem, 'baseUrl' | 'databaseUrl'>;
  /** Signs in as the administrator, and returns its client and what its browser sends. */
  readonly signInAsBoard: () => Promise<{
    readonly api: Api;
    readonly headers: Readonly<Record<string, string>>;
  }>;
  /** The company whose requests are measured. */
  readonly neighbour: CompanyWorld;
  /** The requests with a valid key without any flood. */
  readonly goodAlone: Figures;
  readonly report: Report;
};

/** Clients at an address of this machine. */
export const clientsFrom = (
  { system: { baseUrl } }: Pick<FloodWorld, 'system'>,
  localAddress: string,
  clients: number,
): Omit<LoadClient, 'next'> => ({ url: baseUrl, clients, seconds: floodSeconds, localAddress });

/** Four clients with a valid key, at the address of the floods. */
export const sendWithGoodKey = (
  world: Pick<FloodWorld, 'system' | 'neighbour'>,
): Promise<Figures> =>
  sendRepeatedly({
    ...clientsFrom(world, '127.0.0.1', 4),
    next: () => ({
      method: 'GET',
      path: '/api/agents/me',
      headers: bearer(world.neighbour.key),
    }),
  });

/** Measures a valid key beside a flood. */
export const besideFlood = async (world: FloodWorld, { name, flood }: Flood): Promise<void> => {
  const { report, goodAlone: alone } = world;
  const [during, flooded] = await Promise.all([sendWithGoodKey(world), flood()]);
  report.print(`Good key beside ${name}`, during);
  report.print('  their requests', flooded);
  report.add(...rowsOf(`good key beside ${name}`, { alone, during }));
};
