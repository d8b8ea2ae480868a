/** An agent of the chart with its reports. */
type Node = { readonly reports: readonly Node[] };

/** Up to this many agents are all displayed. */
const wholeMax = 60;
/** A larger chart opens as many levels as have at most this many agents together. */
const openMax = 20;

/** How many levels of a chart are expanded initially; infinite if none has to be collapsed. */
export const openLevels = (roots: readonly Node[]): number => {
  let level = roots;
  let seen = 0;
  let levels = 0;
  let open = 0;
  while (level.length > 0) {
    seen += level.length;
    levels += 1;
    if (seen <= openMax) {
      open = levels;
    }
    if (seen > wholeMax) {
      return Math.max(1, open);
    }
    level = level.flatMap(({ reports }) => reports);
  }
  return Number.POSITIVE_INFINITY;
};
