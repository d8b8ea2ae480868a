// What `pnpm build:packages` publishes. Private packages of this repository are bundled; libraries stay
// dependencies, so that their fixes reach people without a release of ours.
export default {
  entry: 'src/main.ts',
  // The references of its own name folders that a build in the image does not have.
  tsconfig: '../../tsconfig.base.json',
  platform: 'node',
  target: 'node20',
  dts: false,
  sourcemap: true,
  fixedExtension: false,
  // Of the contracts only the schemas in use are taken.
  treeshake: { moduleSideEffects: false },
  // zod is bundled: every command loads it, and its hundred modules took longer to load than all the rest.
  deps: { alwaysBundle: [/^@commonplace\//, 'zod'] },
  copy: [{ from: 'node_modules/zod/LICENSE', to: 'dist', rename: 'zod-license.txt' }],
};
