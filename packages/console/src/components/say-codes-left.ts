import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { factorsQuery } from '../api/session-queries.ts';
import { factorOf } from './code-input.tsx';

/** Says after the use of a recovery code how many are left. The message stays: the app may be lost. */
export const sayCodesLeft = async (client: QueryClient, typed: string): Promise<void> => {
  if (!('recoveryCode' in factorOf(typed))) {
    return;
  }
  const factors = await client.fetchQuery({ ...factorsQuery, staleTime: 0 }).catch(() => null);
  const count = factors?.totp?.recoveryCodesLeft;
  const left = count === undefined ? '' : count === 1 ? ' 1 is left.' : ` ${count} are left.`;
  notifications.show({
    autoClose: false,
    message: `You used a recovery code.${left} If you lost the app, remove it under Account and set it up again.`,
  });
};
