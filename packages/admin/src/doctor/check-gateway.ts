import { failure, ok, type Finding } from '@commonplace/checks';
import { clockFinding } from './clock-finding.ts';
import type { Deployment } from './deployment.ts';

/** Checks that the gateway runs, that the services behind it are ready, and its clock. */
export const checkGateway = async ({ url }: Deployment): Promise<Finding[]> => {
  try {
    const health = await request(`${url}/healthz`);
    if (health.status !== 200) {
      return [
        failure(
          'gateway',
          `${url}/healthz returns ${health.status}`,
          'Check that a Commonplace gateway listens there.',
        ),
      ];
    }
    const ready = await request(`${url}/readyz`);
    return [
      ok('gateway', `runs at ${url}`),
      ready.status === 200
        ? ok('ready', 'auth, agents and notes are ready')
        : failure(
            'ready',
            describe(await ready.text()),
            'See the log of each service that is unavailable.',
          ),
      clockFinding('the gateway', health.headers.get('date')),
    ];
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return [
      failure(
        'gateway',
        `${url} cannot be reached: ${why}`,
        'Start it (pnpm start, or docker-compose up -d), or pass its URL with --url.',
      ),
    ];
  }
};

const request = (url: string): Promise<Response> =>
  fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual' });

const describe = (body: string): string => {
  try {
    const { services, detail } = JSON.parse(body) as {
      readonly services: Readonly<Record<string, string>>;
      readonly detail?: string;
    };
    const states = Object.entries(services).map(
      ([name, state]) => `${name} is ${state === 'ok' ? 'ready' : 'unavailable'}`,
    );
    return states.join(', ') + (detail === undefined ? '' : ` (${detail})`);
  } catch {
    return 'not every service is ready';
  }
};
