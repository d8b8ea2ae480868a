import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runLoad } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { operationsOf, type Operation } from '../profile/operations.ts';
import { recordProfile } from '../profile/record-profile.ts';
import { timeByStage } from '../profile/time-by-stage.ts';
import { processorTimeOf, treeOf } from '../system/proc.ts';
import { untilIndexed } from '../system/until-indexed.ts';

const connections = 32;
const secondsMin = 5;
/** Stages below this share of their process are one row. */
const shareMin = 0.03;
const profiles = join(import.meta.dirname, '../../.tmp/profiles');

/**
 * Where the processor time of a read, a PUT and a push of one note goes: microseconds a request by process, and of the
 * gateway and the notes service by stage. Their profiles are kept for a flame graph.
 */
export const stages: Measurement = {
  name: 'stages',
  measure: async (bench) => {
    await mkdir(profiles, { recursive: true });
    const rows: Row[] = [];
    for (const operation of await operationsOf(bench)) {
      for (let round = 0; round < bench.profile.warmUpRounds; round += 1) {
        await send(bench, operation);
      }
      rows.push(...(await byProcess(bench, operation)));
      for (const service of ['gateway', 'notes'] as const) {
        rows.push(...(await byStage(bench, operation, service)));
      }
      // What is indexed later would count as time of the next operation.
      for (const { companyId } of operation.companies) {
        await untilIndexed(bench.product.databaseUrl, companyId);
      }
    }
    bench.log(`profiles: ${profiles}`);
    return rows;
  },
};

const send = ({ product, profile }: Bench, { requests }: Operation) =>
  runLoad({
    url: product.url,
    requests,
    connections,
    seconds: Math.max(profile.seconds, secondsMin),
  });

const rowOf = (name: string, us: number): Row => ({
  name,
  value: us,
  unit: 'µs',
  baseline: null,
  target: null,
});

/** Without a profiler, which costs time itself. */
const byProcess = async (bench: Bench, operation: Operation): Promise<readonly Row[]> => {
  const { services, pid } = bench.product;
  const ofServices = Object.entries(services).map(([name, { pid: of }]) => ({ name, pids: [of] }));
  const own = new Set([pid, ...ofServices.flatMap(({ pids }) => pids)]);
  const groups = [
    ...ofServices,
    { name: 'PostgreSQL', pids: treeOf(pid).filter((one) => !own.has(one)) },
  ];
  const before = groups.map(({ pids }) => timesOf(pids));
  const { requests } = await send(bench, operation);
  return groups.map(({ name, pids }, index) => {
    const used = [...timesOf(pids)].reduce(
      (sum, [one, us]) => sum + us - (before[index]?.get(one) ?? us),
      0,
    );
    return rowOf(`${operation.name}: ${name}`, used / requests);
  });
};

/** Of those that run: a connection of PostgreSQL is a process, and ends. */
const timesOf = (pids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(
    pids.filter((one) => existsSync(`/proc/${one}/stat`)).map((one) => [one, processorTimeOf(one)]),
  );

const byStage = async (
  bench: Bench,
  operation: Operation,
  service: 'gateway' | 'notes',
): Promise<readonly Row[]> => {
  let requests = 0;
  const profile = await recordProfile(bench.product.services[service].pid, async () => {
    ({ requests } = await send(bench, operation));
  });
  const file = `${operation.name.replaceAll(/\W+/g, '-')}-${service}.cpuprofile`;
  await writeFile(join(profiles, file), JSON.stringify(profile));
  const times = [...timeByStage(profile)];
  const least = times.reduce((sum, [, us]) => sum + us, 0) * shareMin;
  const rest = times.filter(([, us]) => us < least).reduce((sum, [, us]) => sum + us, 0);
  return [...times.filter(([, us]) => us >= least), ['less than 3 % each', rest] as const].map(
    ([stage, us]) => rowOf(`${operation.name}, ${service}: ${stage}`, us / requests),
  );
};
