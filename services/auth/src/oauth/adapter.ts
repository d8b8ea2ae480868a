import { read, write } from '@commonplace/db';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import {
  deleteOauthRecord,
  deleteOauthRecordsOfGrant,
  findOauthRecord,
  touchClient,
  upsertOauthRecord,
  type OauthKind,
} from '../queries/oauth-records.ts';
import { accessTokenAdapter } from './access-tokens.ts';
import type { AdapterDeps, ModelAdapter } from './adapter-deps.ts';
import { consumableAdapter } from './consumable-tokens.ts';
import { endConnection } from './end-connection.ts';
import { oauthDigest } from './oauth-digest.ts';

const dayMs = 86_400_000;

/** The storage of the OAuth library, by the name of a model. */
export const createAdapter =
  (deps: AdapterDeps) =>
  (name: string): Adapter =>
    ({ ...unused(name), ...adapterOf(deps, name) }) as Adapter;

const adapterOf = (deps: AdapterDeps, name: string): ModelAdapter => {
  switch (name) {
    case 'AccessToken':
      return accessTokenAdapter(deps);
    case 'AuthorizationCode':
    case 'RefreshToken':
      return consumableAdapter(deps, name);
    case 'Client':
      return clientAdapter(deps);
    case 'Grant':
      return grantAdapter(deps);
    case 'Interaction':
      return interactionAdapter(deps);
    case 'Session':
      return noSession;
    default:
      return unused(name);
  }
};

/** Features that are off store nothing. */
const unused = (name: string): ModelAdapter => {
  const refuse = async (): Promise<never> => {
    throw new Error(`The OAuth server does not use ${name} in this way`);
  };
  return {
    upsert: refuse,
    find: refuse,
    destroy: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    consume: refuse,
    revokeByGrantId: refuse,
  };
};

/** Every authorization is one of its own: the library remembers no browser. */
const noSession: ModelAdapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  destroy: async () => undefined,
};

const payloadOf = (
  { payload }: { readonly payload: Readonly<Record<string, unknown>> },
  jti?: string,
): AdapterPayload => ({ ...payload, ...(jti === undefined ? {} : { jti }) }) as AdapterPayload;

type Stored = { readonly kind: OauthKind; readonly id: string; readonly payload: object };

const store = async (
  { db, clock }: AdapterDeps,
  { kind, id, payload }: Stored,
  columns: { grantId?: string; clientId?: string; expiresIn?: number },
): Promise<void> => {
  const now = clock();
  await write(db, 'global', (tx) =>
    upsertOauthRecord(tx, {
      kind,
      digest: oauthDigest(id),
      payload,
      grantId: columns.grantId ?? null,
      clientId: columns.clientId ?? null,
      now,
      expiresAt:
        columns.expiresIn === undefined
          ? null
          : new Date(now.getTime() + columns.expiresIn * 1_000),
      source: null,
    }),
  );
};

const find = ({ db, clock }: AdapterDeps, kind: OauthKind, id: string) =>
  read(db, 'global', (tx) => findOauthRecord(tx, { kind, digest: oauthDigest(id), now: clock() }));

const destroy = ({ db }: AdapterDeps, kind: OauthKind, id: string) =>
  write(db, 'global', (tx) => deleteOauthRecord(tx, { kind, digest: oauthDigest(id) }));

/** Registered clients, and the copies of metadata documents that operators consented to. */
const clientAdapter = (deps: AdapterDeps): ModelAdapter => ({
  upsert: (id, payload) => store(deps, { kind: 'Client', id, payload }, { clientId: id }),
  find: async (id) => {
    // A metadata document is fetched again for every consent; afterwards the copy stored at consent is used.
    if (id.startsWith('https:') && !deps.usesConsentedCopy()) {
      return undefined;
    }
    const row = await find(deps, 'Client', id);
    if (row) {
      const now = deps.clock();
      const ifUsedBefore = new Date(now.getTime() - dayMs);
      await write(deps.db, 'global', (tx) =>
        touchClient(tx, { digest: oauthDigest(id), now, ifUsedBefore }),
      );
    }
    return row ? payloadOf(row) : undefined;
  },
  destroy: (id) => destroy(deps, 'Client', id),
});

/** A grant has the id of its connection. It ends after it, because nothing would remind of a connection that lives on. */
const grantAdapter = (deps: AdapterDeps): ModelAdapter => ({
  upsert: (id, { jti: _jti, ...payload }, expiresIn) =>
    store(
      deps,
      { kind: 'Grant', id, payload },
      {
        grantId: id,
        ...(payload.clientId === undefined ? {} : { clientId: payload.clientId }),
        ...(expiresIn === undefined ? {} : { expiresIn }),
      },
    ),
  find: async (id) => {
    const row = await find(deps, 'Grant', id);
    return row ? payloadOf(row, id) : undefined;
  },
  destroy: async (id) => {
    await endConnection(deps, id, deps.endingReason());
    await write(deps.db, 'global', (tx) => deleteOauthRecordsOfGrant(tx, id));
  },
});

/** The address to return to contains the id, so it is not stored either. */
const interactionAdapter = (deps: AdapterDeps): ModelAdapter => ({
  upsert: (id, { jti: _jti, returnTo: _returnTo, ...payload }, expiresIn) =>
    store(deps, { kind: 'Interaction', id, payload }, expiresIn === undefined ? {} : { expiresIn }),
  find: async (id) => {
    const row = await find(deps, 'Interaction', id);
    return row ? { ...payloadOf(row, id), returnTo: deps.returnTo(id) } : undefined;
  },
  destroy: (id) => destroy(deps, 'Interaction', id),
});
