import { Alert, Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';

/** What becomes of a text that the operator may no longer save. */
export const ReadOnlyNotice = ({ read }: { readonly read: () => string }) => {
  const { copy, copied } = useClipboard();
  return (
    <Alert mb="md" color="orange" role="status" title="You can no longer change this note">
      <Group justify="space-between">
        <span>
          Your role was changed, or the company was archived. Your text stays here while this page
          is open. It can be saved once an owner lets you write again.
        </span>
        <Button variant="default" size="xs" onClick={() => copy(read())}>
          {copied ? 'Copied' : 'Copy text'}
        </Button>
      </Group>
    </Alert>
  );
};
