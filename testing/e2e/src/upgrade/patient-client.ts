import { setTimeout as sleep } from 'node:timers/promises';

/** Waits of writes, from the first attempt until the acknowledgement, in milliseconds. */
export type Waits = ReadonlyMap<string, readonly number[]>;

export type PatientOptions = {
  /** The gateway to write to; it may change at any time. */
  readonly baseUrl: () => string;
  /** An agent's API key. */
  readonly key: string;
  /** Under which name a write that begins now is counted. */
  readonly phase: () => string;
};

/** A client that retries each write until it is acknowledged. */
export type PatientClient = {
  /** Returns the body of the response; null means it failed for good. */
  readonly write: (write: Write) => Promise<unknown>;
  readonly waits: Waits;
  /** Responses other than success and unavailability. */
  readonly failures: string[];
};

type Write = { readonly method: string; readonly path: string; readonly body: object };

const retryMs = 50;
const attemptMsMax = 60_000;
const unavailable = [502, 503, 504];

/** Creates a client for all writers. */
export const createPatientClient = ({ baseUrl, key, phase }: PatientOptions): PatientClient => {
  const waits = new Map<string, number[]>();
  const failures: string[] = [];

  const attempt = async ({ method, path, body }: Write) => {
    try {
      const response = await fetch(baseUrl() + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(attemptMsMax),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  };

  const write = async (request: Write): Promise<unknown> => {
    const [startedIn, startedAt] = [phase(), performance.now()];
    for (;;) {
      const response = await attempt(request);
      if (response?.status === 200 || response?.status === 201) {
        const all = waits.get(startedIn) ?? [];
        all.push(performance.now() - startedAt);
        waits.set(startedIn, all);
        return JSON.parse(response.text) as unknown;
      }
      if (response && !unavailable.includes(response.status)) {
        failures.push(`${request.path}: ${response.status} ${response.text}`);
        return null;
      }
      await sleep(retryMs);
    }
  };

  return { write, waits, failures };
};
