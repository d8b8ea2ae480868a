import { Alert, Button, Group } from '@mantine/core';

/** Says that the text comes from a draft, which can be given up. */
export const DraftNotice = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <Alert mb="md" title="Your unsaved draft is back">
    <Group justify="space-between">
      <span>It was not saved when this page was left.</span>
      <Button variant="default" size="xs" onClick={onDiscard}>
        Discard draft
      </Button>
    </Group>
  </Alert>
);
