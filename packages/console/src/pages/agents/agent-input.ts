import type { Schema } from '@commonplace/client';

type Agent = Pick<Schema<'Agent'>, 'name' | 'title' | 'role' | 'reportsTo'> & {
  readonly budget: { readonly monthlyCents: number | null };
};

/** What an operator says about an agent. */
export type AgentInput = {
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly reportsTo: string | null;
  readonly budget: { readonly monthlyCents: number | null };
};

/** The fields of the form. An amount is text, empty where there is no limit. */
export type AgentValues = Omit<AgentInput, 'budget'> & { readonly monthly: string };

/** What the form shows at first. */
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
 * Why this is no amount; null when it is one, or empty. A field of numbers would empty itself where
 * somebody has typed a lone `-`, and empty means that there is no limit.
 */
export const amountProblem = (amount: string): string | null =>
  amount.trim() === '' || /^\d{1,12}(?:\.\d{1,2})?$/.test(amount.trim())
    ? null
    : 'Give an amount such as 120 or 99.50, or leave it empty for no limit.';

/** What the form says; its amount has no problem. */
export const inputOf = ({ monthly, ...values }: AgentValues): AgentInput => ({
  ...values,
  budget: { monthlyCents: monthly.trim() === '' ? null : Math.round(Number(monthly) * 100) },
});

/** The fields that differ from those the form began with. */
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
