import type { Load } from '../src/load.ts';
import { containersOf, mustRun, run, type Compose } from './compose.ts';

/** A failed request with the log entry of the process that refused it. */
export type Explained = Load['failures'][number] & { readonly cause: string | undefined };

/** The logs of containers, each complete when its container has ended. */
export type FollowedLogs = ReadonlyMap<string, Promise<string>>;

/** Follows the logs of the containers that run now: those of a removed one cannot be read any more. */
export const followLogs = async (compose: Compose): Promise<FollowedLogs> => {
  const ids = await containersOfServices(compose);
  return new Map(ids.map((id) => [id, outputOf(run('docker', ['logs', '--follow', id]))]));
};

const outputOf = async (ran: ReturnType<typeof run>): Promise<string> => (await ran).output;

const containersOfServices = async (compose: Compose): Promise<string[]> => {
  const services = ['auth', 'agents', 'notes', 'gateway'];
  return (await Promise.all(services.map((service) => containersOf(compose, service)))).flat();
};

/** Adds to every failure why the gateway or a service refused it. */
export const explain = async (
  compose: Compose,
  failures: Load['failures'],
  followed: FollowedLogs = new Map(),
): Promise<Explained[]> => {
  if (failures.length === 0) {
    return [];
  }
  const present = await containersOfServices(compose);
  const removed = [...followed].flatMap(([id, log]) => (present.includes(id) ? [] : [log]));
  const logs = [...present.map((id) => mustRun('docker', ['logs', id])), ...removed];
  const causes = new Map<string, string>();
  for (const line of (await Promise.all(logs)).flatMap((log) => log.split('\n'))) {
    const { requestId, cause } = parse<{ requestId?: string; cause?: string }>(line);
    if (requestId !== undefined && cause !== undefined) {
      causes.set(requestId, cause);
    }
  }
  return failures.map((failure) => {
    const { requestId = '' } = parse<{ requestId?: string }>(failure.detail);
    return { ...failure, cause: causes.get(requestId) };
  });
};

/**
 * Whether an overloaded machine is the cause: a credential is verified within a fixed time or
 * the request is refused, by design. A process that was stopped too soon looks different: its
 * connections are reset or refused.
 */
export const isOutOfTime = ({ outcome, cause }: Explained): boolean =>
  outcome === 503 && /did not respond within \d+ ms/.test(cause ?? '');

const parse = <Shape extends object>(text: string): Partial<Shape> => {
  try {
    return JSON.parse(text) as Partial<Shape>;
  } catch {
    return {};
  }
};
