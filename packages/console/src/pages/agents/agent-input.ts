import type { Schema } from '@commonplace/client';
import { choiceOf, grantsOf, type GrantChoice } from './grant-choice.ts';

type Agent = Pick<Schema<'Agent'>, 'name' | 'title' | 'role' | 'reportsTo' | 'grants'> & {
  readonly budget: Limits;
};

type Limits = { readonly monthlyCents: number | null; readonly monthlyTokens: number | null };

/** The writable fields of an agent. */
export type AgentInput = {
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly reportsTo: string | null;
  readonly budget: Limits;
  /** Null: all notes. */
  readonly grants: Agent['grants'];
};

/** The limits of a form, as text; empty for no limit. */
export type LimitValues = { readonly monthly: string; readonly tokens: string };

/** The fields of the form. */
export type AgentValues = Omit<AgentInput, 'budget' | 'grants'> &
  LimitValues & { readonly grants: GrantChoice };

/** The initial values of the form. */
export const valuesOf = (agent: Agent | undefined, digits: number): AgentValues => ({
  name: agent?.name ?? '',
  title: agent?.title ?? '',
  role: agent?.role ?? '',
  reportsTo: agent?.reportsTo ?? null,
  grants: choiceOf(agent?.grants ?? null),
  ...limitValuesOf(agent?.budget ?? { monthlyCents: null, monthlyTokens: null }, digits),
});

/** The initial values of the limits of a budget. */
export const limitValuesOf = (
  { monthlyCents, monthlyTokens }: Limits,
  digits: number,
): LimitValues => ({
  monthly:
    monthlyCents === null
      ? ''
      : (monthlyCents / 10 ** digits).toFixed(hasFraction(monthlyCents, digits) ? digits : 0),
  tokens: monthlyTokens === null ? '' : String(monthlyTokens),
});

const hasFraction = (cents: number, digits: number): boolean => cents % 10 ** digits !== 0;

/** Groups of three digits after a comma, an apostrophe or a space, as in `1,500.50`. */
const grouped = /^[1-9]\d{0,2}([,'\s])\d{3}(?:\1\d{3})*(?:\.\d+)?$/;

/**
 * A number as it is computed with. A comma that may be meant as a decimal point stays: one that separates no thousands, and any in
 * a currency with three digits after the point.
 */
const withoutGroups = (text: string, digits = 0): string => {
  const number = text.trim();
  return grouped.test(number) && digits < 3 ? number.replaceAll(/[,'\s]/g, '') : number;
};

/**
 * The validation error of an amount with up to `digits` after the point; null if valid or empty. A number field would be empty after a lone
 * `-`, and empty means no limit.
 */
export const amountProblem = (amount: string, digits: number): string | null => {
  const match = /^\d{1,12}(?:\.(\d+))?$/.exec(withoutGroups(amount, digits));
  const isValid = match !== null && (match[1] ?? '').length <= digits;
  const example = digits === 0 ? '120' : `120 or ${(99.5).toFixed(digits)}`;
  return isValid || amount.trim() === ''
    ? null
    : `Enter an amount such as ${example}, or leave empty for no limit.`;
};

/** The validation error of a number of tokens; null if valid or empty. */
export const tokensProblem = (tokens: string): string | null => {
  const number = withoutGroups(tokens);
  return number === '' || (/^\d{1,13}$/.test(number) && Number(number) <= 1e12)
    ? null
    : 'Enter a whole number such as 5000000, or leave empty for no limit.';
};

/** The limits of valid form values. */
export const limitsOf = ({ monthly, tokens }: LimitValues, digits: number): Limits => ({
  monthlyCents:
    monthly.trim() === ''
      ? null
      : Math.round(Number(withoutGroups(monthly, digits)) * 10 ** digits),
  monthlyTokens: tokens.trim() === '' ? null : Number(withoutGroups(tokens)),
});

/** The fields of valid form values. */
export const inputOf = (
  { monthly, tokens, grants, ...values }: AgentValues,
  digits: number,
): AgentInput => ({
  ...values,
  budget: limitsOf({ monthly, tokens }, digits),
  grants: grantsOf(grants),
});

/** The limits that differ: one that is not named stays as it is, also where another operator has changed it. */
export const changedLimits = (before: Limits, now: Limits): Partial<Limits> => ({
  ...(now.monthlyCents === before.monthlyCents ? {} : { monthlyCents: now.monthlyCents }),
  ...(now.monthlyTokens === before.monthlyTokens ? {} : { monthlyTokens: now.monthlyTokens }),
});

/** Fields of an agent, and limits of its budget. */
type AgentChanges = Partial<Omit<AgentInput, 'budget'> & { readonly budget: Partial<Limits> }>;

/** The fields that differ from those of the agent. */
export const changesOf = (agent: Agent, input: AgentInput): AgentChanges => {
  const { budget, grants, ...before } = agent;
  const { budget: budgetNow, grants: grantsNow, ...now } = input;
  const limits = changedLimits(budget, budgetNow);
  const changed = Object.entries(now).filter(
    ([name, value]) => value !== before[name as keyof typeof before],
  );
  return {
    ...Object.fromEntries(changed),
    ...(Object.keys(limits).length === 0 ? {} : { budget: limits }),
    ...(JSON.stringify(grantsNow) === JSON.stringify(grantsOf(choiceOf(grants)))
      ? {}
      : { grants: grantsNow }),
  };
};
