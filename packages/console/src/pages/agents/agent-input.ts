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

/** The fields of the form. An amount is empty where there is no limit, and text until it is a number. */
export type AgentValues = Omit<AgentInput, 'budget'> & { readonly monthly: number | string };

/** What the form shows at first. */
export const valuesOf = (agent: Agent | undefined): AgentValues => {
  const monthlyCents = agent?.budget.monthlyCents ?? null;
  return {
    name: agent?.name ?? '',
    title: agent?.title ?? '',
    role: agent?.role ?? '',
    reportsTo: agent?.reportsTo ?? null,
    monthly: monthlyCents === null ? '' : monthlyCents / 100,
  };
};

/** Why this is no amount; null when it is one, or empty. A lone `-` is neither. */
export const amountProblem = (amount: number | string): string | null =>
  amount === '' || (String(amount).trim() !== '' && Number(amount) >= 0)
    ? null
    : 'Give an amount, or leave it empty for no limit.';

/** What the form says; its amount has no problem. */
export const inputOf = ({ monthly, ...values }: AgentValues): AgentInput => ({
  ...values,
  budget: { monthlyCents: monthly === '' ? null : Math.round(Number(monthly) * 100) },
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
