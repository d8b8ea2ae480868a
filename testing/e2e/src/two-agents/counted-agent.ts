import type { TestSystem } from '../test-system.ts';
import { bearer, type ApiCall, type ApiResponse } from '../call-api.ts';

/** The requests of one kind, and the bytes of their response bodies. */
type Usage = { readonly calls: number; readonly bytes: number };

/** An agent whose requests and received bytes are counted by what they are for. */
export type CountedAgent = {
  readonly name: string;
  /** Sends a request, which must get one of its statuses. */
  readonly request: (purpose: string, call: AgentCall) => Promise<ApiResponse>;
  readonly usage: ReadonlyMap<string, Usage>;
  readonly total: () => Usage;
};

type AgentCall = ApiCall & {
  readonly method: string;
  readonly path: string;
  /** Default: 200. */
  readonly statuses?: readonly number[];
};

/** Creates an agent of a system. */
export const createCountedAgent = (
  system: Pick<TestSystem, 'as'>,
  { name, key }: { readonly name: string; readonly key: string },
): CountedAgent => {
  const api = system.as(bearer(key));
  const usage = new Map<string, Usage>();
  return {
    name,
    request: async (purpose, { method, path, statuses = [200], ...call }) => {
      const response = await api(method, path, call);
      const before = usage.get(purpose) ?? { calls: 0, bytes: 0 };
      const bytes = before.bytes + bytesOf(response.body);
      usage.set(purpose, { calls: before.calls + 1, bytes });
      if (!statuses.includes(response.status)) {
        const body = JSON.stringify(response.body).slice(0, 500);
        throw new Error(`${name}: ${method} ${path} returned ${response.status}: ${body}`);
      }
      return response;
    },
    usage,
    total: () =>
      [...usage.values()].reduce(
        (sum, { calls, bytes }) => ({ calls: sum.calls + calls, bytes: sum.bytes + bytes }),
        { calls: 0, bytes: 0 },
      ),
  };
};

/** The size of a body. The product sends JSON without spaces, so it has the same size again. */
const bytesOf = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));
