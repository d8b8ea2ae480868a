/** One line of a chart, with a point for every size. */
type Series = { readonly name: string; readonly values: readonly number[] };

export type Chart = {
  readonly title: string;
  readonly sizes: readonly number[];
  readonly sizeName: string;
  readonly series: readonly Series[];
};

const width = 720;
const height = 360;
const frame = { left: 56, right: 96, top: 40, bottom: 48 };
const colours = [
  '#1b6ca8',
  '#c0392b',
  '#2e8b57',
  '#8e44ad',
  '#b9770e',
  '#16a0a0',
  '#d35492',
  '#5d6d7e',
  '#7d8f19',
  '#4b2e83',
];

/** Draws milliseconds over sizes, on a logarithmic axis, as a self-contained SVG. */
export const drawChart = ({ title, sizes, sizeName, series }: Chart): string => {
  const top = niceCeiling(Math.max(...series.flatMap(({ values }) => values)));
  const exponents = sizes.map((size) => Math.log10(size));
  const [low = 0, high = 1] = [exponents[0], exponents.at(-1)];
  const xOf = (index: number) =>
    frame.left +
    ((width - frame.left - frame.right) * ((exponents[index] ?? low) - low)) / (high - low || 1);
  const yOf = (ms: number) =>
    height - frame.bottom - ((height - frame.top - frame.bottom) * ms) / top;
  const grid = Array.from({ length: 5 }, (_, step) => (top * step) / 4).map(
    (ms) =>
      `<line x1="${frame.left}" x2="${width - frame.right}" y1="${yOf(ms)}" y2="${yOf(ms)}" stroke="#ddd"/>` +
      `<text x="${frame.left - 8}" y="${yOf(ms) + 4}" text-anchor="end">${Number(ms.toPrecision(3))}</text>`,
  );
  const ticks = sizes.map(
    (size, index) =>
      `<text x="${xOf(index)}" y="${height - frame.bottom + 18}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  const lines = spread(series.map(({ values }) => yOf(values.at(-1) ?? 0))).map((labelY, index) => {
    const { name, values } = series[index] as Series;
    const points = values.map((ms, at) => `${xOf(at).toFixed(1)},${yOf(ms).toFixed(1)}`).join(' ');
    const colour = colours[index % colours.length];
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${width - frame.right + 8}" y="${labelY + 4}" fill="${colour}">${name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${frame.left}" y="22" font-size="14">${title}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(width - frame.right + frame.left) / 2}" y="${height - 8}" text-anchor="middle">${sizeName}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
};

/** The next round number above a value, for the axis. */
const niceCeiling = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
};

/** Moves overlapping labels apart, the higher one up. */
const spread = (positions: readonly number[]): number[] => {
  const order = positions
    .map((_, index) => index)
    .toSorted((a, b) => (positions[b] ?? 0) - (positions[a] ?? 0));
  const placed = [...positions];
  order.forEach((index, rank) => {
    const below = rank === 0 ? Infinity : (placed[order[rank - 1] ?? 0] ?? Infinity);
    placed[index] = Math.min(placed[index] ?? 0, below - 14);
  });
  return placed;
};
