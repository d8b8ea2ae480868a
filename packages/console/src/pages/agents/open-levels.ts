/** An agent of the chart, with those who report to it. */
type Node = { readonly reports: readonly Node[] };

/** A chart of so many agents is shown whole; of a larger one, as many levels as have no more than the second. */
const wholeMax = 60;
const openMax = 20;

/** How many levels of a chart are open to begin with; infinite where none needs to be folded. */
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
