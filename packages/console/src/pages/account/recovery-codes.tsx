import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session-queries.ts';
import { Copyable } from '../../components/copyable.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';

/** Recovery codes, shown once in a dialog that stays until they are stored. On paper the page has nothing else. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => {
  const { data: session } = useQuery(sessionQuery);
  return (
    <ShownOnce what="the codes">
      {(onCopied) => (
        <>
          <Alert color="yellow" role="status">
            Print these recovery codes or write them down. They will not be shown again. Each
            replaces the app once.
          </Alert>
          <div className="printed">
            <Text className="on-paper">
              {session?.operator.email} at {location.host}
            </Text>
            <Copyable label="Recovery codes" text={codes.join('\n')} onCopied={onCopied} />
          </div>
          <Group>
            <Button variant="default" onClick={() => globalThis.print()}>
              Print
            </Button>
          </Group>
        </>
      )}
    </ShownOnce>
  );
};
