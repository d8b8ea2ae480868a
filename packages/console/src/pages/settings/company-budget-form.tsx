import { Button, Group, Paper, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMoney } from '../../components/use-money.ts';
import { BudgetBar, TokenBar } from '../../components/budget-bar.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { LimitFields } from '../../components/limit-fields.tsx';
import { useSavedValues } from '../../components/use-saved-values.ts';
import {
  amountProblem,
  changedLimits,
  limitsOf,
  limitValuesOf,
  tokensProblem,
} from '../agents/agent-input.ts';
import { useUpdateCompany } from './use-update-company.ts';
import { SectionTitle } from '../../components/section-title.tsx';

type CompanyProps = { readonly company: Schema<'CompanyDetail'>; readonly canChange: boolean };

/** The budget of all agents of a company together: what is used of it, and its limits. */
export const CompanyBudgetPanel = ({ company, canChange }: CompanyProps) => {
  const { id, budget } = company;
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Budget of the company</SectionTitle>
        <BudgetBar
          spentCents={budget.spentCents}
          reservedCents={budget.reservedCents}
          limitCents={budget.monthlyCents}
        />
        <TokenBar spentTokens={budget.spentTokens} limitTokens={budget.monthlyTokens} />
        {canChange && <LimitsForm companyId={id} budget={budget} />}
      </Stack>
    </Paper>
  );
};

type LimitsFormProps = {
  readonly companyId: string;
  readonly budget: Schema<'CompanyBudget'>;
};

const LimitsForm = ({ companyId, budget }: LimitsFormProps) => {
  const { digits } = useMoney();
  const form = useForm({
    initialValues: limitValuesOf(budget, digits),
    validate: { monthly: (amount) => amountProblem(amount, digits), tokens: tokensProblem },
  });
  useSavedValues(form, limitValuesOf(budget, digits));
  const update = useUpdateCompany(companyId);
  return (
    <Form
      isSaving={update.isPending}
      onSubmit={form.onSubmit((values) =>
        update.mutate(
          { budget: changedLimits(budget, limitsOf(values, digits)) },
          // As the server writes it.
          { onSuccess: () => form.reset() },
        ),
      )}
    >
      <Stack>
        <FormError form={form} error={update.error} />
        <LimitFields
          of=" of the company"
          about=", for all agents together"
          monthly={form.getInputProps('monthly')}
          tokens={form.getInputProps('tokens')}
        />
        <Group>
          <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
            Save budget
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
