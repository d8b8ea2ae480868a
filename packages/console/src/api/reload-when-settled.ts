/**
 * For `onSettled` of a change: loads again what it changes, also where it failed, because it may be made although its response
 * was lost. A success lasts until that is loaded; an error is shown at once, while a server that does not respond is waited for.
 */
export const reloadWhenSettled =
  <Variables = void>(reload: (variables: Variables) => Promise<unknown>) =>
  (_data: unknown, error: Error | null, variables: Variables): Promise<unknown> | undefined => {
    const reloaded = reload(variables);
    return error === null ? reloaded : undefined;
  };
