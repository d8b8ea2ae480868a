import { AppError } from '@commonplace/contracts';
import { serviceProbe, type ServiceProbe } from '@commonplace/http/core';
import { sendLocalResponse, type LocalResponse, type LocalRoute } from '../http/local-response.ts';

export type HealthOptions = {
  /** Base URLs of the services, by name. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly draining: AbortSignal;
};

/** Why a service is not ready, by its name; null when it is. */
type Problems = Readonly<Record<string, string | null>>;

const ok: LocalResponse = {
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ status: 'ok' }),
};

/**
 * The health checks. `/healthz` checks nothing but the gateway. `/readyz` probes every service, which checks
 * its database; concurrent requests share one round of probes, because they need no credential.
 */
export const healthRoutes = ({ services, draining }: HealthOptions): readonly LocalRoute[] => {
  const probes = Object.entries(services).map(
    ([name, baseUrls]) => [name, serviceProbe(baseUrls)] as const,
  );
  let pending: Promise<Problems> | undefined;
  const sharedProblems = () =>
    (pending ??= problemsOf(probes).finally(() => {
      pending = undefined;
    }));
  return [
    { path: '/healthz', handle: ({ res }) => sendLocalResponse(res, ok) },
    {
      path: '/readyz',
      handle: async ({ res }) => {
        if (draining.aborted) {
          throw notReady('The gateway is shutting down.', {});
        }
        const problems = await sharedProblems();
        if (Object.values(problems).some((problem) => problem !== null)) {
          throw notReady(describe(problems), problems);
        }
        sendLocalResponse(res, ok);
      },
    },
  ];
};

const problemsOf = async (
  probes: readonly (readonly [string, ServiceProbe])[],
): Promise<Problems> =>
  Object.fromEntries(
    await Promise.all(probes.map(async ([name, probe]) => [name, await probe()] as const)),
  );

const describe = (problems: Problems): string => {
  const reasons = Object.entries(problems).flatMap(([name, problem]) =>
    problem === null ? [] : [`${name}: ${problem}`],
  );
  return `Not every service is ready: ${reasons.join('; ')}`;
};

const notReady = (detail: string, problems: Problems): AppError => {
  const services = Object.fromEntries(
    Object.entries(problems).map(([name, problem]) => [
      name,
      problem === null ? 'ok' : 'unavailable',
    ]),
  );
  return new AppError('service_unavailable', detail, {
    extensions: { services },
  });
};
