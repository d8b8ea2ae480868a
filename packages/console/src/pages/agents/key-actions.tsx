import type { Schema } from '@commonplace/client';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { IconButton } from '../../components/icon-button.tsx';
import { modals } from '../../components/modals.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type KeyActionsProps = {
  readonly apiKey: Schema<'ApiKey'>;
  /** A name that no other key beside it has. */
  readonly label: string;
};

/** Rotates or revokes an active key. One that was replaced has been rotated. */
export const KeyActions = ({ apiKey, label }: KeyActionsProps) => {
  const openRevoke = (): void => {
    const dialog = modals.open({
      title: `Revoke ${label}?`,
      children: <RevokeKey apiKey={apiKey} onDone={() => modals.close(dialog)} />,
    });
  };
  return (
    <>
      {apiKey.replacedBy === null && (
        <IconButton
          label={`Rotate ${label}`}
          icon={IconRefresh}
          onClick={() =>
            modals.open({
              title: `Rotate ${label}`,
              size: 'lg',
              children: <RotateKey apiKey={apiKey} />,
            })
          }
        />
      )}
      <IconButton label={`Revoke ${label}`} icon={IconBan} color="red" onClick={openRevoke} />
    </>
  );
};
