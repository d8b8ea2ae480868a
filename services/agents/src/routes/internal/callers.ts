import {
  verifyKeyContract,
  verifyRunContract,
  checkAgentContract,
  checkOperatorCallerContract,
} from '@commonplace/contracts/internal';
import { intersectGrants } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import type { EndedRun } from '../../queries/runs.ts';
import { replaceKeyDigest, verifyKey } from '../../queries/key-digests.ts';
import { verifyEndedRun, verifyRun } from '../../commands/verify-run.ts';
import { findAgentCaller, findOperatorCaller } from '../../commands/caller-lookups.ts';

/** Looks up a key by digests with all peppers. One that is stored with an earlier pepper is stored with the first. */
export const verifyKeyRoute = ({
  lookups,
  clock,
  keyUsage,
}: Pick<Deps, 'lookups' | 'clock' | 'keyUsage'>) =>
  defineRoute(verifyKeyContract, async ({ body: { digests } }) => {
    const now = clock();
    const found = await read(lookups, 'global', (tx) => verifyKey(tx, digests, now));
    if (!found) {
      return reply(200, { key: null });
    }
    const { digest, expiresAt, scopes, grants: ofKey, agentGrants, ...rest } = found;
    const key = { ...rest, expiresAt: expiresAt?.toISOString() ?? null };
    keyUsage.record({ id: key.keyId, companyId: key.companyId, at: now });
    const [current] = digests;
    if (current !== undefined && current !== digest) {
      await write(lookups, 'global', (tx) => replaceKeyDigest(tx, digest, current));
    }
    const grants = intersectGrants(ofKey, agentGrants);
    if (grants) {
      const rights = { scopes: scopes && [...scopes], grants: [...grants] };
      return reply(200, { key: null, grantedKey: { ...key, ...rights } });
    }
    return reply(
      200,
      scopes === null ? { key } : { key: null, scopedKey: { ...key, scopes: [...scopes] } },
    );
  });

type CallerDeps = Pick<Deps, 'lookups' | 'clock' | 'mode' | 'checkOperator'>;

/** Looks up a running run. Its rights are those that its agent still has. */
export const verifyRunRoute = (deps: CallerDeps) =>
  defineRoute(verifyRunContract, async ({ body }) => {
    const found = await verifyRun(deps, body.runId);
    if (!found) {
      const ended = body.includeEnded === true ? await verifyEndedRun(deps, body.runId) : null;
      return reply(200, { run: null, ...(ended && { endedRun: presentEnded(ended) }) });
    }
    const { scopes, grants: ofRun, agentGrants, sourceOperatorId: _, ...rest } = found;
    const run = { ...rest, tokenExpiresAt: found.tokenExpiresAt.toISOString() };
    const grants = intersectGrants(ofRun, agentGrants);
    if (grants) {
      const rights = { scopes: scopes && [...scopes], grants: [...grants] };
      return reply(200, { run: null, grantedRun: { ...run, ...rights } });
    }
    return reply(
      200,
      scopes === null ? { run } : { run: null, scopedRun: { ...run, scopes: [...scopes] } },
    );
  });

const presentEnded = ({ scopes, tokenExpiresAt, endedAt, ...run }: EndedRun) => ({
  ...run,
  tokenExpiresAt: tokenExpiresAt.toISOString(),
  endedAt: endedAt.toISOString(),
  scopes: scopes && [...scopes],
});

/** Reads what an agent and its credential may do now, for requests that waited. */
export const checkAgentRoute = (deps: CallerDeps) =>
  defineRoute(checkAgentContract, async ({ body }) => {
    const { companyId, agentId, keyId = null, runId = null, connectionId = null } = body;
    const named = { companyId, agentId, keyId, runId, connectionId };
    const found = await findAgentCaller(deps, named);
    if (!found) {
      return reply(200, { agent: null });
    }
    const { scopes, grants, ...agent } = found;
    return reply(200, {
      agent: {
        ...agent,
        ...(scopes ? { scopes: [...scopes] } : {}),
        ...(grants ? { grants: [...grants] } : {}),
      },
    });
  });

/** Reads what an operator may do now, for requests that waited. */
export const checkOperatorCallerRoute = (deps: CallerDeps) =>
  defineRoute(checkOperatorCallerContract, async ({ body }) =>
    reply(200, { operator: await findOperatorCaller(deps, body) }),
  );
