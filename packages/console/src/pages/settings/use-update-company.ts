import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { companyQuery } from '../../api/company-queries.ts';
import { keys } from '../../api/query-keys.ts';

type Company = Schema<'CompanyDetail'>;

type CompanyChange = Partial<
  Pick<Company, 'name' | 'status' | 'currency' | 'proposalsDecidedBy'> & {
    readonly budget: Partial<Pick<Company['budget'], 'monthlyCents' | 'monthlyTokens'>>;
  }
>;

/** What is said of a change; nothing of a status, which the page shows itself. */
const messages = {
  name: 'Company renamed.',
  currency: 'Currency changed.',
  budget: 'Budget changed.',
  proposalsDecidedBy: 'Who decides about proposals changed.',
} as const;

/** Changes settings of a company. */
export const useUpdateCompany = (companyId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CompanyChange) =>
      api.patch('/api/companies/{companyId}', { params: { path: { companyId } }, body }),
    onSuccess: ({ data }, change) => {
      // Reloading it may fail.
      client.setQueryData(companyQuery(companyId).queryKey, data);
      const message = Object.entries(messages).find(([name]) => name in change)?.[1];
      if (message !== undefined) {
        notifications.show({ message });
      }
      // Everything of the company may have changed, including its entry in the switcher.
      return client.invalidateQueries({ queryKey: keys.companies });
    },
  });
};
