import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, makeCompany } from '@commonplace/e2e';
import { killedContainers, memoryOfContainers } from '@commonplace/e2e/container-memory';
import { makeDeployment, type Deployment } from '@commonplace/e2e/deployment';
import { oneMinute, type Rate } from './one-minute.ts';
import { makeSoakedCompanies, type SoakedCompanies } from './soaked-companies.ts';

/** The part of its limit that a container may use. */
const shareMax = 0.85;
const sampleMs = 3_000;

/** The most memory that a container used, and its limit, in bytes. */
type Peak = { readonly bytes: number; readonly limitBytes: number };

export type SoakOptions = {
  readonly minutes: number;
  readonly rate: Rate;
  readonly print: (line: string) => void;
};

/**
 * Soaks the containers of docker-compose.yml with their memory limits in force, which takes a Docker Engine. Prints how
 * much each used at most. Resolves with false if one was killed or came too near to its limit.
 */
export const soakContainers = async (options: SoakOptions): Promise<boolean> => {
  const { print } = options;
  const deployment = await makeDeployment('commonplace-soak');
  deployments.add(deployment);
  try {
    await deployment.compose('build');
    await deployment.compose('up', '-d');
    await deployment.ready();
    const peaks = await soak(deployment, await makeCompanies(deployment), options);
    print(`\n${tableOf(peaks)}\n`);
    const killed = await killedContainers(deployment.compose);
    killed.forEach((name) => print(`${name} was killed or restarted`));
    return killed.length === 0 && [...peaks.values()].every(hasRoom);
  } finally {
    await removeDeployments();
  }
};

const deployments = new Set<Deployment>();

/** Removes what is deployed, also when a signal ends the soak. */
export const removeDeployments = async (): Promise<void> => {
  for (const deployment of deployments) {
    deployments.delete(deployment);
    await deployment.remove();
  }
};

const makeCompanies = async (deployment: Deployment): Promise<SoakedCompanies> => {
  const { baseUrl } = deployment;
  const operatorHeaders = await deployment.boardHeaders();
  const board = createApi({ baseUrl, headers: operatorHeaders });
  return makeSoakedCompanies({
    url: baseUrl,
    makeCompany: (name) => makeCompany(board, name, { baseUrl, withInvite: false }),
    operatorHeaders,
  });
};

const soak = async (
  deployment: Deployment,
  companies: SoakedCompanies,
  { minutes, rate, print }: SoakOptions,
): Promise<ReadonlyMap<string, Peak>> => {
  const peaks = new Map<string, Peak>();
  const over = new AbortController();
  const watching = watch(deployment, peaks, over.signal);
  try {
    for (let minute = 1; minute <= minutes; minute += 1) {
      await oneMinute({ url: deployment.baseUrl }, companies, rate);
      const parts = [...peaks].map(([name, { bytes }]) => `${name} ${megabytes(bytes)}`);
      print(`minute ${minute}, at most so far: ${parts.join(', ')} MB`);
    }
  } finally {
    over.abort();
    await watching;
  }
  return peaks;
};

const watch = async (
  { compose }: Deployment,
  peaks: Map<string, Peak>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    // A container that is killed right now has no memory; that it was killed is reported at the end.
    const containers = await memoryOfContainers(compose).catch(() => []);
    for (const { name, bytes, limitBytes } of containers) {
      peaks.set(name, { bytes: Math.max(bytes, peaks.get(name)?.bytes ?? 0), limitBytes });
    }
    await sleep(sampleMs);
  }
};

const hasRoom = ({ bytes, limitBytes }: Peak): boolean => bytes <= limitBytes * shareMax;

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const tableOf = (peaks: ReadonlyMap<string, Peak>): string =>
  [
    '| Container | Used at most | Limit | Ok |',
    '| --- | --- | --- | --- |',
    ...[...peaks].map(
      ([name, peak]) =>
        `| ${name} | ${megabytes(peak.bytes)} MB | ${megabytes(peak.limitBytes)} MB | ${hasRoom(peak) ? 'yes' : 'NO'} |`,
    ),
  ].join('\n');
