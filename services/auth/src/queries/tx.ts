import type { GlobalTx } from '@commonplace/db';

declare const mayChangeAccounts: unique symbol;

/**
 * A transaction that may change accounts. Statements that write passwords, flags and epochs take
 * one, and only `commands/as-operator.ts` creates them. A command that does not check the session
 * of its caller in the same transaction does not compile.
 */
export type AccountTx = GlobalTx & { readonly [mayChangeAccounts]: true };
