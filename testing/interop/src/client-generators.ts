import { documentPath } from './workspace.ts';

export type ClientGenerator = {
  /** Also the file of `fixtures` that uses the client. */
  readonly name: string;
  readonly tool: string;
  readonly args: (baseUrl: string) => readonly string[];
};

/** The generators, each with the command line its documentation shows. */
export const clientGenerators: readonly ClientGenerator[] = [
  {
    name: 'openapi-fetch',
    tool: 'openapi-typescript',
    args: () => [
      documentPath,
      '--output=generated/openapi-typescript.ts',
      // A field with a default may be left out of a request.
      '--default-non-nullable=false',
    ],
  },
  {
    name: 'hey-api',
    tool: 'openapi-ts',
    args: () => [
      `--input=${documentPath}`,
      '--output=generated/hey-api',
      '--no-log-file',
      '--plugins',
      '@hey-api/typescript',
      '@hey-api/client-fetch',
      '@hey-api/sdk',
    ],
  },
  {
    name: 'orval',
    tool: 'orval',
    // Its command line has no option for the address of the API.
    args: () => ['--config', 'orval.config.cjs'],
  },
  {
    name: 'openapi-zod-client',
    tool: 'openapi-zod-client',
    args: () => [documentPath, '--output=generated/openapi-zod-client.ts'],
  },
  {
    name: 'openapi-typescript-codegen',
    tool: 'openapi',
    args: () => ['--input', documentPath, '--output', 'generated/codegen', '--client', 'fetch'],
  },
];

/** The configuration of orval: it writes the address of the API into the client. */
export const orvalConfig = (baseUrl: string): string =>
  `module.exports = ${JSON.stringify({
    api: {
      input: documentPath,
      output: { target: './generated/orval.ts', client: 'fetch', baseUrl },
    },
  })};`;
