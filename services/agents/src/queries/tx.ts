import type { CompanyTx } from '@commonplace/db';

declare const mayChange: unique symbol;

/**
 * A transaction that may change its company. Every statement that writes takes one, and only
 * `commands/begin-change.ts` creates them. A command that does not check the caller's authority
 * under the lock of the company does not compile.
 */
export type ChangeTx = CompanyTx & { readonly [mayChange]: true };
