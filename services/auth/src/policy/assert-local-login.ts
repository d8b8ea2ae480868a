import { AppError } from '@commonplace/contracts/core';

/** Throws 403 where passwords are switched off. `pnpm operator` works all the same. */
export const assertLocalLogin = ({ isLocalLogin }: { readonly isLocalLogin: boolean }): void => {
  if (!isLocalLogin) {
    throw new AppError(
      'local_login_disabled',
      'This instance accepts no passwords; use single sign-on.',
    );
  }
};
