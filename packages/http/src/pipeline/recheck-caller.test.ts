import { describe, expect, it } from '@jest/globals';
import { agentId, companyId, newId, runId, type NoteGrant } from '@commonplace/contracts';
import type { AgentCaller } from '@commonplace/identity';
import { callerRecheck, type AgentState } from './recheck-caller.ts';

const grants: readonly NoteGrant[] = [{ folder: 'a', scope: 'any', mode: 'direct' }];
const home = companyId.parse(newId());
const caller: AgentCaller = {
  kind: 'agent',
  agentId: agentId.parse(newId()),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: home,
  keyId: null,
  runId: runId.parse(newId()),
  scopes: null,
  expiresAt: null,
};

/** Looks up a caller that had some grants, and has others now. */
const recheck = (
  before: readonly NoteGrant[] | undefined,
  now: readonly NoteGrant[] | undefined,
  options = {},
) => {
  const state: AgentState = {
    agentStatus: 'active',
    companyStatus: 'active',
    ...(now ? { grants: now } : {}),
  };
  const lookups = { findAgent: async () => state, findOperator: async () => null };
  const of = { ...caller, ...(before ? { grants: before } : {}) };
  return callerRecheck(lookups)(of, home, options);
};

describe('a caller with grants that is looked up again', () => {
  it('goes on with the same grants, and begins again with others', async () => {
    const refused = { code: 'folder_not_granted' };
    await expect(recheck(grants, [...grants])).resolves.toMatchObject({ grants });
    await expect(recheck(grants, undefined)).rejects.toMatchObject(refused);
    await expect(recheck(undefined, grants)).rejects.toMatchObject(refused);
    await expect(recheck(grants, [])).rejects.toMatchObject(refused);
  });

  it('reports what its run has used after the run has ended, although the grants of that are not looked up', async () => {
    const ended = { acceptsEndedRun: true };
    await expect(recheck(undefined, grants, ended)).resolves.toMatchObject({ kind: 'agent' });
    await expect(recheck(grants, undefined, ended)).resolves.toMatchObject({ kind: 'agent' });
  });
});
