import { read, write, type Db, type GlobalTx } from '@commonplace/db';
import type { ConfigurationFact } from './configuration-facts.ts';
import { RefusedStartError } from './refuse-start.ts';

export type ConfigurationCheck = {
  readonly service: 'auth' | 'agents';
  readonly facts: readonly ConfigurationFact[];
  /** What may replace the stored values, as `NAME:fingerprint`: the setting ACCEPT_CONFIGURATION. */
  readonly accepted: readonly string[];
  readonly clock?: () => Date;
};

type Stored = ReadonlyMap<string, readonly string[]>;

/**
 * Creates the check that the database was last used with this configuration. Stores the configured fingerprints when
 * none are stored, or when the two lists have one in common, which is a rotation. Otherwise it throws a
 * RefusedStartError that says what differs and what to do. A passed check is not repeated.
 */
export const configurationCheck = (db: Db, check: ConfigurationCheck): (() => Promise<void>) => {
  let hasPassed = false;
  return async () => {
    if (hasPassed) {
      return;
    }
    const stored = await read(db, 'global', (tx) => listFingerprints(tx, check.service));
    if (!check.facts.every((fact) => isStored(fact, stored))) {
      await write(db, 'global', (tx) => checkAndStore(tx, check));
    }
    hasPassed = true;
  };
};

const isStored = ({ name, fingerprints }: ConfigurationFact, stored: Stored): boolean => {
  const former = stored.get(name) ?? [];
  return former.length === fingerprints.length && fingerprints.every((one) => former.includes(one));
};

/** A lock serializes replicas that start at once, so that none overrides what another has just stored. */
const checkAndStore = async (tx: GlobalTx, check: ConfigurationCheck): Promise<void> => {
  const { service, facts, accepted, clock = () => new Date() } = check;
  await tx.query('select pg_advisory_xact_lock($1)', [lockKey]);
  const stored = await listFingerprints(tx, service);
  const problems = facts.flatMap((fact) => problemOf(fact, stored, accepted) ?? []);
  if (problems.length > 0) {
    throw new RefusedStartError(problems.join('\n'));
  }
  for (const { name, fingerprints } of facts) {
    await tx.query(deleteOthers(service), [name, fingerprints]);
    await tx.query(insertMissing(service), [name, fingerprints, clock()]);
  }
};

/**
 * For a command outside the service that uses the first of these secrets: throws a RefusedStartError unless the
 * service uses that secret too. It stores nothing, and passes when no service has used the database yet.
 */
export const assertKnownSecret = async (
  db: Db,
  service: ConfigurationCheck['service'],
  fact: ConfigurationFact,
): Promise<void> => {
  const former =
    (await read(db, 'global', (tx) => listFingerprints(tx, service))).get(fact.name) ?? [];
  if (former.length > 0 && !former.includes(fact.fingerprints[0])) {
    throw new RefusedStartError(
      `${differenceOf(fact, former)}. ${fact.consequence}. ${fact.remedy}. Nothing was changed.`,
    );
  }
};

/** An arbitrary number that nothing else in the database uses. */
const lockKey = 7_263_002;

const problemOf = (
  fact: ConfigurationFact,
  stored: Stored,
  accepted: readonly string[],
): string | null => {
  const { name, fingerprints, replaceable = [] } = fact;
  const former = stored.get(name) ?? [];
  const fits =
    former.every((one) => replaceable.includes(one)) ||
    former.some((one) => fingerprints.includes(one));
  const token = `${name}:${fingerprints[0]}`;
  return fits || accepted.includes(token)
    ? null
    : `${differenceOf(fact, former)}. ${fact.consequence}. ${fact.remedy}. To start without it anyway, set ACCEPT_CONFIGURATION=${token} for one start (several: separated by commas).`;
};

const differenceOf = (
  { name, fingerprints }: ConfigurationFact,
  former: readonly string[],
): string =>
  `${name} is not the one this database was last used with (stored: ${former.join(', ')}; configured: ${fingerprints.join(', ')})`;

/** Every stored fingerprint, by the name of its variable. */
const listFingerprints = async (
  tx: GlobalTx,
  service: ConfigurationCheck['service'],
): Promise<Stored> => {
  const rows = await tx.query<{ name: string; fingerprints: readonly string[] }>(
    `select name, array_agg(fingerprint order by fingerprint) as fingerprints
     from ${service}.configuration_fingerprints
     group by name`,
  );
  return new Map(rows.map(({ name, fingerprints }) => [name, fingerprints]));
};

/** Deletes what is no longer configured: $1 the variable, $2 its fingerprints. */
const deleteOthers = (service: string): string =>
  `delete from ${service}.configuration_fingerprints where name = $1 and fingerprint <> all ($2::text[])`;

/** Stores what is configured: $1 the variable, $2 its fingerprints, $3 the time. */
const insertMissing = (service: string): string =>
  `insert into ${service}.configuration_fingerprints (name, fingerprint, first_seen_at)
   select $1, fingerprint, $3 from unnest($2::text[]) as fingerprint
   on conflict do nothing`;
