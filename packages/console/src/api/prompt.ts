import type { ApiClient } from '@commonplace/client';

/** Settles the waiting requests: whether the operator did what the dialog is for. */
type Settle = (isDone: boolean) => void;

/** A dialog in which the operator does something while requests wait for it. */
export type Prompt = {
  /** With `isNeeded`, for `useSyncExternalStore`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Whether the dialog must be open. */
  readonly isNeeded: () => boolean;
  /** Opens the dialog. Resolves with whether the operator did it. */
  readonly open: () => Promise<boolean>;
  readonly settle: Settle;
};

export const createPrompt = (): Prompt => {
  const listeners = new Set<() => void>();
  let waiting: readonly Settle[] = [];
  const change = (next: readonly Settle[]): void => {
    waiting = next;
    for (const listener of listeners) {
      listener();
    }
  };
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isNeeded: () => waiting.length > 0,
    open: () => new Promise((resolve) => change([...waiting, resolve])),
    settle: (isDone) => {
      const settled = waiting;
      change([]);
      for (const settle of settled) {
        settle(isDone);
      }
    },
  };
};

/**
 * Makes a client that opens the dialog when a change fails for a reason that the operator can remove, and then repeats
 * the change. If the dialog is closed, the change fails as it did.
 */
export const withPrompt = (
  client: ApiClient,
  isReason: (error: unknown) => boolean,
  { open }: Prompt,
): ApiClient => {
  const wrap =
    (call: UntypedCall): UntypedCall =>
    async (...args) => {
      try {
        return await call(...args);
      } catch (error) {
        if (isReason(error) && (await open())) {
          return call(...args);
        }
        throw error;
      }
    };
  const { put, post, patch, delete: remove } = client as unknown as Record<string, UntypedCall>;
  return {
    ...client,
    put: wrap(put as UntypedCall),
    post: wrap(post as UntypedCall),
    patch: wrap(patch as UntypedCall),
    delete: wrap(remove as UntypedCall),
  } as unknown as ApiClient;
};

/** ApiClient checks every call against the OpenAPI document; this layer is untyped. */
type UntypedCall = (...args: unknown[]) => Promise<unknown>;
