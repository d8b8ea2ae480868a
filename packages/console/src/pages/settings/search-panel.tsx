import { Button, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Schema } from '@commonplace/client';
import { api } from '../../api/api.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { searchSettingsQuery } from '../../api/company-queries.ts';
import { SectionTitle } from '../../components/section-title.tsx';

/** Search by meaning: what is sent where, and for owners the switch. Nothing where the server has no service for it, or the operator does not reach all notes. */
export const SearchPanel = ({ canSwitch }: { readonly canSwitch: boolean }) => {
  const companyId = useCompanyId();
  const { data: settings } = useSuspenseQuery(searchSettingsQuery(companyId));
  const client = useQueryClient();
  const update = useMutation({
    mutationFn: (embeddings: boolean) =>
      api.put('/api/companies/{companyId}/search-settings', {
        params: { path: { companyId } },
        body: { embeddings },
      }),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: searchSettingsQuery(companyId).queryKey }),
  });
  if (settings === null || (settings.service === null && !settings.embeddings)) {
    return null;
  }
  const { service, embeddings } = settings;
  const enable = () =>
    confirm({
      title: 'Send all notes to this service?',
      text: `Titles, folders and contents of all notes of this company, and the queries of searches, are sent to ${service?.host ?? ''} from now on.`,
      confirm: 'Switch on',
      onConfirm: () => update.mutate(true),
    });
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack align="start">
        <SectionTitle>Search by meaning</SectionTitle>
        <Text size="sm" c="dimmed">
          {describe(settings)}
        </Text>
        {update.isError && <ErrorAlert error={update.error} />}
        {canSwitch && (
          <Button
            variant={embeddings ? 'outline' : 'filled'}
            loading={update.isPending}
            onClick={embeddings ? () => update.mutate(false) : enable}
          >
            {embeddings ? 'Switch off and delete vectors' : 'Switch on…'}
          </Button>
        )}
      </Stack>
    </Paper>
  );
};

const describe = ({ service, embeddings, notes }: Schema<'SearchSettings'>): string => {
  if (service === null) {
    return 'On, but this server has no service for it any more: nothing is sent.';
  }
  const to = `${service.host} (model ${service.model})`;
  return embeddings
    ? `On: notes and the queries of searches are sent to ${to}. ${notes.embedded} of ${notes.total} notes are prepared.`
    : `Off. When it is on, titles, folders and contents of all notes, and the queries of searches, are sent to ${to}, which compares them by meaning.`;
};
