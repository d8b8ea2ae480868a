import { ProblemError, type ApiClient } from '@commonplace/client';

type Listener = () => void;
/** Settles the waiting requests: whether the operator confirmed who they are. */
type Settle = (isConfirmed: boolean) => void;

const listeners = new Set<Listener>();
let waiting: readonly Settle[] = [];

const change = (next: readonly Settle[]): void => {
  waiting = next;
  for (const listener of listeners) {
    listener();
  }
};

/** Whether the dialog must be open; for `useSyncExternalStore`. */
export const reauthentication = {
  subscribe: (listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isNeeded: (): boolean => waiting.length > 0,
  settle: (isConfirmed: boolean): void => {
    const settled = waiting;
    change([]);
    for (const settle of settled) {
      settle(isConfirmed);
    }
  },
};

const untilConfirmed = (): Promise<boolean> =>
  new Promise((resolve) => change([...waiting, resolve]));

const needsConfirmation = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'reauthentication_required';

const wrap =
  (call: UntypedCall): UntypedCall =>
  async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      if (needsConfirmation(error) && (await untilConfirmed())) {
        return call(...args);
      }
      throw error;
    }
  };

/**
 * Makes a client that opens the dialog when a change needs a recent sign-in, and then repeats the change. If the
 * dialog is closed, the change fails as it did.
 */
export const withReauthentication = (client: ApiClient): ApiClient => {
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
