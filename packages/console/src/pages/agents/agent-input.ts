import type { Schema } from '@commonplace/client';

type Agent = Pick<Schema<'Agent'>, 'name' | 'title' | 'role' | 'reportsTo'> & {
  readonly budget: { readonly monthlyCents: number | null };
};

/** The writable fields of an agent. */
export type AgentInput = {
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly reportsTo: string | null;
  readonly budget: { readonly monthlyCents: number | null };
};

/** The fields of the form. The amount is text, empty for no limit. */
export type AgentValues = Omit<AgentInput, 'budget'> & { readonly monthly: string };

/** The initial values of the form. */
export const valuesOf = (agent: Agent | undefined): AgentValues => {
  const monthlyCents = agent?.budget.monthlyCents ?? null;
  return {
    name: agent?.name ?? '',
    title: agent?.title ?? '',
    role: agent?.role ?? '',
    reportsTo: agent?.reportsTo ?? null,
    monthly: monthlyCents === null ? '' : String(monthlyCents / 100),
  };
};

/**
 * The validation error of an amount; null if valid or empty. A number field would be empty after a lone
 * `-`, and empty means no limit.
 */
export const amountProblem = (amount: string): string | null =>
  amount.trim() === '' || /^\d{1,12}(?:\.\d{1,2})?$/.test(amount.trim())
    ? null
    : 'Enter an amount such as 120 or 99.50, or leave empty for no limit.';

/** The fields of valid form values. */
export const inputOf = ({ monthly, ...values }: AgentValues): AgentInput => ({
  ...values,
  budget: { monthlyCents: monthly.trim() === '' ? null : Math.round(Number(monthly) * 100) },
});

/** The fields that differ from the initial values of the form. */
export const changesOf = (agent: Agent, input: AgentInput): Partial<AgentInput> => {
  const { budget, ...before } = inputOf(valuesOf(agent));
  const { budget: budgetNow, ...now } = input;
  const changed = Object.entries(now).filter(
    ([name, value]) => value !== before[name as keyof typeof before],
  );
  return {
    ...Object.fromEntries(changed),
    ...(budgetNow.monthlyCents === budget.monthlyCents ? {} : { budget: budgetNow }),
  };
};
