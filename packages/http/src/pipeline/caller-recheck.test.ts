import { describe, expect, it } from '@jest/globals';
import {
  agentId,
  companyId,
  newId,
  operatorId,
  runId,
  type NoteGrant,
} from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { callerRecheck, type AgentState } from './caller-recheck.ts';

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

describe('a viewer with grants that is looked up again', () => {
  const viewerWith = (of: readonly NoteGrant[] | undefined): OperatorCaller => ({
    kind: 'operator',
    operatorId: operatorId.parse(newId()),
    name: 'Vera',
    email: 'vera@example.org',
    isAdmin: false,
    isLocal: false,
    sessionId: null,
    selectedCompanyId: home,
    companies: [
      { companyId: home, role: 'viewer', companyStatus: 'active', ...(of ? { grants: of } : {}) },
    ],
  });

  it('goes on with the same grants, and begins again with others', async () => {
    const again = (before: readonly NoteGrant[] | undefined, now: NoteGrant[] | undefined) => {
      const membership = { role: 'viewer', companyStatus: 'active', grants: now } as const;
      const findOperator = async () => ({ isAdmin: false, membership });
      const lookups = { findAgent: async () => null, findOperator };
      return callerRecheck(lookups)(viewerWith(before), home);
    };
    const refused = { code: 'folder_not_granted' };
    await expect(again(grants, [...grants])).resolves.toMatchObject({ companies: [{ grants }] });
    await expect(again(undefined, undefined)).resolves.toMatchObject({ kind: 'operator' });
    await expect(again(grants, undefined)).rejects.toMatchObject(refused);
    await expect(again(undefined, [...grants])).rejects.toMatchObject(refused);
    await expect(again(grants, [])).rejects.toMatchObject(refused);
  });
});
