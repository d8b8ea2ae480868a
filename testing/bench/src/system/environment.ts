import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentId, companyId, keyId } from '@commonplace/contracts';
import { bearer, makeCompany, type CompanyWorld } from '@commonplace/e2e';
import { companyHeader, identityHeader, identityMinter, signingKeys } from '@commonplace/identity';
import { noteOf } from './texts.ts';
import type { Product } from './product.ts';
import { retryingApi } from './retrying-api.ts';

type Headers = Readonly<Record<string, string>>;

/** The test data in the product. */
export type BenchEnvironment = {
  readonly company: CompanyWorld;
  /** Paths of notes of 1 KB, one for each reader, because equal lookups are coalesced. */
  readonly notePaths: readonly string[];
  /** Creates another company with an agent and its key. */
  readonly makeCompany: (name: string) => Promise<CompanyWorld>;
  /** The headers that the gateway sends to a service for the key of this company; valid for ten seconds. */
  readonly signedFor: (company: CompanyWorld) => Headers;
};

/** Concurrent readers. */
export const readers = 32;

/** Creates the first company and notes of 1 KB in it. */
export const createEnvironment = async ({ url, dataDir }: Product): Promise<BenchEnvironment> => {
  const operator = retryingApi({ baseUrl: url });
  const make = (name: string) =>
    withRetries(() => makeCompany(operator, name, { baseUrl: url, withInvite: false }));
  const company = await make('Bench');
  const byKey = retryingApi({ baseUrl: url, headers: bearer(company.key) });
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

/** Retries the creation of a company, which a lookup timeout on a busy machine may interrupt. */
const withRetries = async <Result>(make: () => Promise<Result>): Promise<Result> => {
  for (let attemptsLeft = 10; ; attemptsLeft -= 1) {
    try {
      return await make();
    } catch (error) {
      if (attemptsLeft === 0) {
        throw error;
      }
      await sleep(1_000);
    }
  }
};
