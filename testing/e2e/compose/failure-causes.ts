import type { Load } from '../src/load.ts';
import { mustRun, containersOf, type Compose } from './compose.ts';

/** A failed request with the gateway's log entry. */
export type Explained = Load['failures'][number] & { readonly cause: string | undefined };

/** Adds the gateway's log entry to every failure. */
export const explain = async (
  compose: Compose,
  failures: Load['failures'],
): Promise<Explained[]> => {
  if (failures.length === 0) {
    return [];
  }
  const causes = new Map<string, string>();
  for (const id of await containersOf(compose, 'gateway')) {
    for (const line of (await mustRun('docker', ['logs', id])).split('\n')) {
      const { requestId, cause } = parse<{ requestId?: string; cause?: string }>(line);
      if (requestId !== undefined && cause !== undefined) {
        causes.set(requestId, cause);
      }
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
