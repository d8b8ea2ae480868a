import { AppError } from '@commonplace/contracts';
import { serviceProbe, type ServiceProbe } from '@commonplace/http/core';
import type { LocalRoute } from './local-route.ts';
import { sendText } from './send-text.ts';

export type HealthOptions = {
  /** Base URLs of the services, by name. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly draining: AbortSignal;
};

/** Why a service is not ready, by its name; null when it is. */
type Troubles = Readonly<Record<string, string | null>>;

const ok = {
  contentType: 'application/json',
  body: JSON.stringify({ status: 'ok' }),
  headers: { 'Cache-Control': 'no-store' },
};

/** Liveness asks nobody; readiness asks every service, which asks its database. */
export const healthRoutes = ({ services, draining }: HealthOptions): readonly LocalRoute[] => {
  const probes = Object.entries(services).map(
    ([name, baseUrls]) => [name, serviceProbe(baseUrls)] as const,
  );
  let asking: Promise<Troubles> | undefined;
  // Nobody needs a credential to ask, so those who ask at once share one round of questions.
  const troubles = () =>
    (asking ??= troublesOf(probes).finally(() => {
      asking = undefined;
    }));
  return [
    { path: '/healthz', handle: (context) => sendText(context, ok) },
    {
      path: '/readyz',
      handle: async (context) => {
        if (draining.aborted) {
          throw notReady('The gateway is shutting down.', {});
        }
        const known = await troubles();
        if (Object.values(known).some((trouble) => trouble !== null)) {
          throw notReady(describe(known), known);
        }
        sendText(context, ok);
      },
    },
  ];
};

const troublesOf = async (
  probes: readonly (readonly [string, ServiceProbe])[],
): Promise<Troubles> =>
  Object.fromEntries(
    await Promise.all(probes.map(async ([name, probe]) => [name, await probe()] as const)),
  );

const describe = (troubles: Troubles): string => {
  const told = Object.entries(troubles).flatMap(([name, trouble]) =>
    trouble === null ? [] : [`${name}: ${trouble}`],
  );
  return `Not every service is ready: ${told.join('; ')}`;
};

const notReady = (detail: string, troubles: Troubles): AppError => {
  const services = Object.fromEntries(
    Object.entries(troubles).map(([name, trouble]) => [name, trouble === null ? 'ok' : 'away']),
  );
  return new AppError('service_unavailable', detail, {
    extensions: { services },
    headers: { 'Retry-After': '1' },
  });
};
