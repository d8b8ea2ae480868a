// What `pnpm build:packages` publishes: one module for Node and browsers, with types and source maps.
export default {
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  sourcemap: true,
  fixedExtension: false,
};
