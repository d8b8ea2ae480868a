import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Context, type ContextManager } from '@opentelemetry/api';

/** Creates what keeps the active context through asynchronous work. */
export const createContextManager = (): ContextManager => {
  const active = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (context, work, ...[thisArg, ...given]) =>
      active.run(context, () => work.apply(thisArg as never, given)),
    bind: (context, target) =>
      typeof target === 'function'
        ? (((...given: unknown[]) =>
            active.run(context, () =>
              (target as (...each: unknown[]) => unknown)(...given),
            )) as typeof target)
        : target,
    enable: () => manager,
    disable: () => {
      active.disable();
      return manager;
    },
  };
  return manager;
};
