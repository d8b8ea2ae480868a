import { runCommand } from './run-command.ts';

/*
 * Writes the types of the client from docs/openapi.json. With `--check` it changes nothing and fails
 * when they are stale. openapi-typescript needs the TypeScript 5 that packages/client brings for it.
 */
const { exitCode, output } = await runCommand(
  'packages/client/node_modules/.bin/openapi-typescript',
  [
    'docs/openapi.json',
    '--output=packages/client/src/api-types.ts',
    // A field with a default may be left out of a request.
    '--default-non-nullable=false',
    ...process.argv.slice(2),
  ],
);
console.log(output.trimEnd());
if (exitCode !== 0) {
  console.error(
    'packages/client/src/api-types.ts is not what docs/openapi.json says: run pnpm openapi',
  );
  process.exitCode = exitCode;
}
