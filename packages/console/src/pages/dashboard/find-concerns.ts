import type { Schema } from '@commonplace/client';
import { isMoneyUsedUp, isUsedUp } from '../../components/is-used-up.ts';
import { isNearLimit } from '../../components/is-near-limit.ts';

type Agent = Schema<'Agent'>;
type Run = Schema<'Run'>;
type Budget = Pick<
  Agent['budget'],
  'monthlyCents' | 'monthlyTokens' | 'spentCents' | 'reservedCents' | 'spentTokens'
>;

/** What the dashboard knows; undefined: not loaded yet, or not for this operator. */
export type Known = {
  readonly company?:
    | { readonly budget: Budget; readonly status?: 'active' | 'archived' }
    | undefined;
  readonly agents?: readonly Agent[] | undefined;
  /** The latest failed runs, newest first. */
  readonly failed?: readonly Run[] | undefined;
  readonly conflicts?: readonly Schema<'ListedNote'>[] | undefined;
  /** How many proposals are open. */
  readonly proposals?: number | undefined;
  /** Active keys and connections that expire soon. */
  readonly expiring?: readonly Expiring[] | undefined;
  /** Keys that have expired, of agents with no other way in. */
  readonly expired?: readonly Expiring[] | undefined;
  readonly findings?: readonly Schema<'Finding'>[] | undefined;
  /** When the last backup finished, if there are backups. */
  readonly lastBackupAt?: string | undefined;
};

/** An API key or a connection. */
export type Expiring = {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  readonly expiresAt: string;
};

type About =
  | { readonly kind: 'budget'; readonly budget: Budget; readonly agent: Agent | null }
  | { readonly kind: 'failures'; readonly runs: readonly Run[] }
  | { readonly kind: 'conflict'; readonly note: Schema<'ListedNote'> }
  | { readonly kind: 'proposals'; readonly count: number }
  | { readonly kind: 'expiry'; readonly credential: Expiring }
  | { readonly kind: 'expired'; readonly credential: Expiring }
  | { readonly kind: 'backup'; readonly lastAt: string }
  | { readonly kind: 'finding'; readonly finding: Schema<'Finding'> };

/** Something that needs a person: `isWrong` now, otherwise soon. */
export type Concern = About & { readonly isWrong: boolean };

const dayMs = 86_400_000;

/** Backups are made once a day; one may be late. */
const backupAgeMaxMs = 2 * dayMs;

/** What needs a person, what is wrong already first. In an archived company nobody can do anything about what is in it. */
export const findConcerns = (known: Known, nowMs: number): readonly Concern[] => {
  const concerns = allConcerns(known, nowMs);
  return known.company?.status === 'archived'
    ? concerns.filter(({ kind }) => kind === 'finding' || kind === 'backup')
    : concerns;
};

/** So many of them in their order: one of each kind before a second one of any. */
export const chooseConcerns = (concerns: readonly Concern[], count: number): readonly Concern[] => {
  const seen = new Set<Concern['kind']>();
  const firsts = concerns.filter(({ kind }) => !seen.has(kind) && seen.add(kind));
  const others = concerns.filter((concern) => !firsts.includes(concern));
  const chosen = new Set([...firsts, ...others].slice(0, count));
  return concerns.filter((concern) => chosen.has(concern));
};

const allConcerns = (known: Known, nowMs: number): readonly Concern[] =>
  [
    ...ofBudget(known.company?.budget, null),
    ...(known.agents ?? [])
      .filter(({ status }) => status !== 'terminated')
      .flatMap((agent) => ofBudget(agent.budget, agent)),
    ...ofFailures((known.failed ?? []).filter((run) => endedSince(run, nowMs - dayMs))),
    ...ofExpired(known),
    ...(known.findings ?? [])
      .filter(({ state }) => state === 'failure' || state === 'warning')
      .map((finding): Concern => ({
        kind: 'finding',
        isWrong: finding.state === 'failure',
        finding,
      })),
    ...ofProposals(known.proposals ?? 0),
    ...ofBackup(known.lastBackupAt, nowMs),
    ...(known.conflicts ?? []).map((note): Concern => ({ kind: 'conflict', isWrong: false, note })),
    ...(known.expiring ?? [])
      .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))
      .map((credential): Concern => ({ kind: 'expiry', isWrong: false, credential })),
  ].toSorted((one, other) => Number(other.isWrong) - Number(one.isWrong));

/** Whether the money or the tokens of a budget are used up. */
export const isBudgetUsedUp = (budget: Budget): boolean =>
  isMoneyUsedUp(budget) || isUsedUp(budget.spentTokens, budget.monthlyTokens);

const ofBudget = (budget: Budget | undefined, agent: Agent | null): readonly Concern[] => {
  if (!budget) {
    return [];
  }
  const isNear =
    isNearLimit(budget.spentCents + budget.reservedCents, budget.monthlyCents) ||
    isNearLimit(budget.spentTokens, budget.monthlyTokens);
  return isNear ? [{ kind: 'budget', isWrong: isBudgetUsedUp(budget), budget, agent }] : [];
};

/** Of agents that can be given a key. */
const ofExpired = ({ expired = [], agents = [] }: Known): readonly Concern[] =>
  expired
    .filter(({ agentId }) =>
      agents.some(({ id, status }) => id === agentId && status !== 'terminated'),
    )
    .map((credential) => ({ kind: 'expired', isWrong: true, credential }));

const ofProposals = (count: number): readonly Concern[] =>
  count === 0 ? [] : [{ kind: 'proposals', isWrong: false, count }];

const endedSince = ({ finishedAt }: Run, sinceMs: number): boolean =>
  finishedAt !== null && Date.parse(finishedAt) >= sinceMs;

const ofBackup = (lastAt: string | undefined, nowMs: number): readonly Concern[] =>
  lastAt !== undefined && nowMs - Date.parse(lastAt) > backupAgeMaxMs
    ? [{ kind: 'backup', isWrong: true, lastAt }]
    : [];

/** One for all of them: each failure with its reason is in a list of its own. */
const ofFailures = (runs: readonly Run[]): readonly Concern[] =>
  runs.length === 0 ? [] : [{ kind: 'failures', isWrong: true, runs }];
