import type { GlobalTx } from '@commonplace/db';

declare const mayChangeAccounts: unique symbol;

/**
 * A transaction that may change accounts. Statements that write passwords, flags and epochs take one, and
 * `commands/as-operator.ts` alone makes them: a command that does not find its caller's session alive in
 * the same transaction does not compile.
 */
export type AccountTx = GlobalTx & { readonly [mayChangeAccounts]: true };
