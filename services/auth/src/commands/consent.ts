import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Consent, decideConsentContract } from '@commonplace/contracts/auth';
import {
  AppError,
  connectionId as connectionIdSchema,
  connectionScopes,
  type ConnectionId,
  type Scope,
} from '@commonplace/contracts/core';
import { createConnectionContract } from '@commonplace/contracts/internal';
import { write } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Provider } from 'oidc-provider';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { describeClient } from '../oauth/describe-client.ts';
import { restartPath } from '../oauth/normalize-request.ts';
import { oauthDigest } from '../oauth/oauth-digest.ts';
import {
  bindInteraction,
  claimInteraction,
  releaseInteraction,
  storeConsentedClient,
} from '../queries/oauth-records.ts';

type ConsentDeps = Pick<Deps, 'db' | 'clock' | 'connect' | 'callAgents' | 'log'>;

/** An operator in the browser in which an app began. */
export type Deciding = {
  readonly uid: string;
  readonly cookie: string | undefined;
  readonly caller: OperatorCaller;
  readonly requestId: string;
};

type Decision = z.output<NonNullable<(typeof decideConsentContract)['body']>>;
type Approval = Extract<Decision, { decision: 'approve' }>;

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Pending = { readonly interaction: Interaction; readonly shown: Consent };

/** Reads what an app requests, and binds the consent to the operator who reads it first. */
export const readConsent = async (deps: ConsentDeps, deciding: Deciding): Promise<Consent> =>
  (await findPending(deps, deciding)).shown;

/** Decides: returns the address that leads back to the app. */
export const decideConsent = async (
  deps: ConsentDeps,
  deciding: Deciding,
  decision: Decision,
): Promise<string> => {
  const pending = await findPending(deps, deciding);
  if (decision.decision === 'approve' && decision.version !== pending.shown.version) {
    throw new AppError('consent_changed');
  }
  const digest = oauthDigest(deciding.uid);
  const claim = { digest, operatorId: deciding.caller.operatorId, now: deps.clock() };
  if (!(await write(deps.db, 'global', (tx) => claimInteraction(tx, claim)))) {
    throw new AppError('consent_expired');
  }
  try {
    return decision.decision === 'approve'
      ? await approve(deps, { ...deciding, ...pending }, decision)
      : await finish(pending.interaction, {
          error: 'access_denied',
          error_description: 'the operator refused',
        });
  } catch (error) {
    await write(deps.db, 'global', (tx) => releaseInteraction(tx, digest));
    throw error;
  }
};

const findPending = async (
  deps: ConsentDeps,
  { uid, cookie, caller }: Deciding,
): Promise<Pending> => {
  const provider = await deps.connect.provider();
  const interaction = await findInteraction(provider, cookie);
  if (interaction?.uid !== uid) {
    throw new AppError('consent_expired');
  }
  const { operatorId } = caller;
  const binding = { digest: oauthDigest(uid), operatorId, now: deps.clock() };
  const boundTo = await write(deps.db, 'global', (tx) => bindInteraction(tx, binding));
  if (boundTo !== operatorId) {
    throw new AppError(boundTo === null ? 'consent_expired' : 'consent_of_another_operator');
  }
  return { interaction, shown: await shownOf(provider, interaction) };
};

/** The interaction of a browser's cookie, whose signature the library checks; null without one. */
const findInteraction = async (
  provider: Provider,
  cookie: string | undefined,
): Promise<Interaction | null> => {
  const req = new IncomingMessage({} as never);
  req.headers = cookie === undefined ? {} : { cookie };
  try {
    return await provider.interactionDetails(req, new ServerResponse(req));
  } catch (error) {
    if ((error as Error).name === 'SessionNotFound') {
      return null;
    }
    throw error;
  }
};

type AuthorizationParams = {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scope?: string;
  readonly resource?: string | string[];
};

const requestedBy = ({ params }: Interaction): AuthorizationParams =>
  params as unknown as AuthorizationParams;

const shownOf = async (provider: Provider, interaction: Interaction): Promise<Consent> => {
  const { client_id: clientId, redirect_uri: redirectUri, scope = '' } = requestedBy(interaction);
  const client = await findClient(provider, clientId);
  const shown = {
    client: describeClient({ clientId, clientName: client.clientName, redirectUri }),
    scopes: connectionScopes.filter((each) => scope.split(' ').includes(each)) as Scope[],
  };
  const version = createHash('sha256')
    .update(JSON.stringify([shown, clientId, redirectUri, client.metadata()]))
    .digest('base64url');
  const expiresAt = new Date(interaction.exp * 1_000).toISOString();
  return { ...shown, version, expiresAt, restart: restartPath(interaction.params) };
};

/** The client as it is now: the host of a metadata document may have changed or removed it meanwhile. */
const findClient = async (provider: Provider, clientId: string) => {
  try {
    const client = await provider.Client.find(clientId);
    if (client) {
      return client;
    }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === undefined) {
      throw error;
    }
  }
  throw new AppError('consent_changed', 'The metadata of the app cannot be read any more.');
};

const approve = async (
  deps: ConsentDeps,
  approving: Deciding & Pending,
  approval: Approval,
): Promise<string> => {
  const connectionId = await createConnection(deps, approving, approval);
  try {
    await saveGrant(deps, approving, { approval, connectionId });
    return await finish(approving.interaction, {
      login: { accountId: approving.caller.operatorId, remember: false },
      select_account: {},
      consent: { grantId: connectionId },
    });
  } catch (error) {
    const message = 'a connection without tokens is left unless its consent is repeated';
    deps.log.warn({ err: error, connectionId }, message);
    throw error;
  }
};

const dayMs = 86_400_000;

/**
 * The id of the connection that a choice makes: a choice repeated after a failure gets what it made, and no second
 * connection and agent. Its end counts in days from now, because the console takes it from the clock.
 */
const connectionIdOf = (
  uid: string,
  { expiresAt, version: _version, ...choice }: Approval,
  now: Date,
): ConnectionId => {
  const days = expiresAt && Math.round((Date.parse(expiresAt) - now.getTime()) / dayMs);
  const digest = oauthDigest(JSON.stringify([uid, choice, days]));
  return connectionIdSchema.parse(
    digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5'),
  );
};

const createConnection = async (
  { clock, callAgents }: ConsentDeps,
  { uid, interaction, shown, caller, requestId }: Deciding & Pending,
  approval: Approval,
): Promise<ConnectionId> => {
  const { companyId, agent, scopes, grants, expiresAt } = approval;
  const { operatorId, sessionId, isLocal } = caller;
  if (scopes.some((scope) => !shown.scopes.includes(scope))) {
    throw new AppError('consent_changed', 'The app did not request these rights.');
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= clock().getTime()) {
    throw new AppError('validation_failed', 'The end of the connection is past.', {
      errors: [{ path: '/expiresAt', message: 'must be in the future' }],
    });
  }
  if (!isLocal && sessionId === null) {
    throw new AppError('session_expired');
  }
  const { client } = shown;
  const { connectionId } = await callAgents(
    createConnectionContract,
    {
      connectionId: connectionIdOf(uid, approval, clock()),
      operatorId,
      ...(sessionId === null ? {} : { sessionId }),
      companyId,
      agent,
      scopes,
      ...(grants ? { grants } : {}),
      expiresAt,
      client: {
        id: requestedBy(interaction).client_id,
        name: client.name ?? client.host,
        host: client.host,
      },
    },
    requestId,
  );
  return connectionId;
};

/** A connection without an end has a grant that outlives everybody. */
const endlessSeconds = 100 * 365 * 86_400;

type Granting = { readonly approval: Approval; readonly connectionId: ConnectionId };

const saveGrant = async (
  { db, clock, connect }: ConsentDeps,
  { interaction, caller }: Deciding & Pending,
  { approval, connectionId }: Granting,
): Promise<void> => {
  const provider = await connect.provider();
  const { Grant } = provider;
  const { client_id: clientId, resource } = requestedBy(interaction);
  const expiresIn =
    approval.expiresAt === null
      ? endlessSeconds
      : Math.ceil((Date.parse(approval.expiresAt) - clock().getTime()) / 1_000);
  const grant = new Grant({ accountId: caller.operatorId, clientId, expiresIn } as never);
  grant.jti = connectionId;
  for (const each of [resource ?? connect.resources[0]].flat()) {
    grant.addResourceScope(each, approval.scopes.join(' '));
  }
  await grant.save();
  const client = await findClient(provider, clientId);
  if (clientId.startsWith('https://')) {
    const stored = { digest: oauthDigest(clientId), clientId, now: clock() };
    await write(db, 'global', (tx) =>
      storeConsentedClient(tx, { ...stored, payload: client.metadata() as object }),
    );
  }
};

/** Stores the result for the library, which reads it when the browser follows the address. */
const finish = async (interaction: Interaction, result: object): Promise<string> => {
  interaction.result = result as NonNullable<Interaction['result']>;
  await interaction.persist();
  return new URL(interaction.returnTo).pathname;
};
