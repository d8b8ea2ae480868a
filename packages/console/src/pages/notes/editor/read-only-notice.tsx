import { Alert, Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';

type ReadOnlyNoticeProps = {
  readonly read: () => string;
  /** Whether there is anything that is not saved. */
  readonly hasText?: boolean;
};

/** What becomes of a text that the operator may no longer save. */
export const ReadOnlyNotice = ({ read, hasText = true }: ReadOnlyNoticeProps) => {
  const { copy, copied } = useClipboard();
  return (
    <Alert mb="md" color="orange" role="status" title="You can no longer change this note">
      <Group justify="space-between">
        <span>
          Your role was changed, or the company was archived.{' '}
          {hasText
            ? 'Your text stays here while this page is open. It can be saved once an owner lets you write again.'
            : 'There is nothing here that is not saved.'}
        </span>
        {hasText && (
          <Button variant="default" size="xs" onClick={() => copy(read())}>
            {copied ? 'Copied' : 'Copy text'}
          </Button>
        )}
      </Group>
    </Alert>
  );
};
