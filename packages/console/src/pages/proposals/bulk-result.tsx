import { Alert, List } from '@mantine/core';
import { useCompanyId } from '../../api/use-company-id.ts';
import { TextLink } from '../../components/links.tsx';
import type { BulkReport } from './use-bulk.ts';

type BulkResultProps = { readonly report: BulkReport; readonly onClose: () => void };

/** What became of many decisions, with links to the proposals that are left. */
export const BulkResult = ({ report: { text, failed }, onClose }: BulkResultProps) => {
  const companyId = useCompanyId();
  return (
    <Alert
      role="presentation"
      mb="md"
      color={failed.length > 0 ? 'orange' : 'teal'}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
      title={text}
    >
      {failed.length > 0 && (
        <List size="sm">
          {failed.map(({ id, title, why }) => (
            <List.Item key={id}>
              <TextLink
                to="/companies/$companyId/proposals"
                params={{ companyId }}
                search={(search: object) => ({ ...search, proposal: id })}
              >
                {title}
              </TextLink>
              : {why}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
};
