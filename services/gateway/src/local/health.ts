import { AppError } from '@commonplace/contracts';
import { serviceProbe, type ServiceProbe } from '@commonplace/http/core';
import type { LocalRoute } from './local-route.ts';
import { sendText } from './send-text.ts';

export type HealthOptions = {
  /** Base URLs of the services, by name. */
  readonly services: Readonly<Record<string, readonly string[]>>;
  readonly draining: AbortSignal;
};

type States = Readonly<Record<string, 'ok' | 'away'>>;

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
  let asking: Promise<States> | undefined;
  // Nobody needs a credential to ask, so those who ask at once share one round of questions.
  const states = () =>
    (asking ??= statesOf(probes).finally(() => {
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
        const known = await states();
        if (Object.values(known).includes('away')) {
          throw notReady('Not every service is ready.', known);
        }
        sendText(context, ok);
      },
    },
  ];
};

const statesOf = async (probes: readonly (readonly [string, ServiceProbe])[]): Promise<States> => {
  const asked = probes.map(async ([name, isReady]) => {
    return [name, (await isReady()) ? 'ok' : 'away'] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
};

const notReady = (detail: string, services: States): AppError =>
  new AppError('service_unavailable', detail, {
    extensions: { services },
    headers: { 'Retry-After': '1' },
  });
