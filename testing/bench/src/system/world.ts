import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentId, companyId, keyId } from '@commonplace/contracts';
import { bearer, makeCompany, type CompanyWorld } from '@commonplace/e2e';
import { companyHeader, identityHeader, identityMinter, signingKeys } from '@commonplace/identity';
import { noteOf } from './note-of.ts';
import type { Product } from './product.ts';
import { patientApi } from './patient-api.ts';

type Headers = Readonly<Record<string, string>>;

/** What lives in the product while it is measured. */
export type World = {
  readonly company: CompanyWorld;
  /** Where its notes of 1 KB are: as many as there are readers, so that no two ask for the same. */
  readonly notePaths: readonly string[];
  /** Makes another company with an agent and its key. */
  readonly makeCompany: (name: string) => Promise<CompanyWorld>;
  /** The headers the gateway would send to a service for the key of this company; good for ten seconds. */
  readonly signedFor: (company: CompanyWorld) => Headers;
};

/** How many ask at the same time. */
export const readers = 32;

/** Makes the first company, and notes of 1 KB in it. */
export const makeWorld = async ({ url, dataDir }: Product): Promise<World> => {
  const operator = patientApi({ baseUrl: url });
  const make = (name: string) =>
    persistently(() => makeCompany(operator, name, { baseUrl: url, withInvite: false }));
  const company = await make('Bench');
  const byKey = patientApi({ baseUrl: url, headers: bearer(company.key) });
  const notePaths = Array.from({ length: readers }, () => `/api/notes/${randomUUID()}`);
  await Promise.all(
    notePaths.map((path) => byKey('PUT', path, { body: noteOf('a note that is read') })),
  );
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    INTERNAL_IDENTITY_SECRETS: string;
  };
  const mint = identityMinter(signingKeys([secrets.INTERNAL_IDENTITY_SECRETS]), 'gateway');
  return {
    company,
    notePaths,
    makeCompany: make,
    signedFor: (of) => ({
      [companyHeader]: of.companyId,
      [identityHeader]: mint({
        kind: 'agent',
        agentId: agentId.parse(of.agentId),
        agentName: 'Ada',
        agentStatus: 'active',
        companyId: companyId.parse(of.companyId),
        keyId: keyId.parse(of.keyId),
        runId: null,
        scopes: null,
        expiresAt: null,
      }),
    }),
  };
};

/** A company half made, because a look-up took too long on a busy machine, is made again. */
const persistently = async <Result>(make: () => Promise<Result>): Promise<Result> => {
  for (let triesLeft = 10; ; triesLeft -= 1) {
    try {
      return await make();
    } catch (error) {
      if (triesLeft === 0) {
        throw error;
      }
      await sleep(1_000);
    }
  }
};
