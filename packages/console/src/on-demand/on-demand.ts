/** A component whose code is loaded when it is first needed, and then available at once. */
export type OnDemand<Props> = {
  /** Null until it is loaded. */
  readonly loaded: () => React.ComponentType<Props> | null;
  /** A failed attempt can be repeated. */
  readonly load: () => Promise<React.ComponentType<Props>>;
};

/** Makes a component that loads with the first intent to use it. */
export const onDemand = <Props>(
  load: () => Promise<React.ComponentType<Props>>,
): OnDemand<Props> => {
  let component: React.ComponentType<Props> | null = null;
  return {
    loaded: () => component,
    load: async () => {
      component ??= await load();
      return component;
    },
  };
};
