/** A way in for an agent: what it is for, and what to copy. */
export type WayIn = {
  readonly name: 'curl' | 'MCP' | 'CLI';
  readonly hint: string;
  readonly snippets: readonly { readonly label: string; readonly text: string }[];
};

type Connection = { readonly origin: string; readonly key: string };

/** The three ways in, filled with address and key. Each writes a note. */
export const waysIn = (connection: Connection): readonly WayIn[] => [
  curl(connection),
  mcp(connection),
  cli(connection),
];

const curl = ({ origin, key }: Connection): WayIn => ({
  name: 'curl',
  hint: 'For programs in any language. Run this in a shell:',
  snippets: [
    {
      label: 'Command',
      text: [
        `curl ${origin}/api/notes \\`,
        `  -H 'authorization: Bearer ${key}' \\`,
        `  -H 'content-type: application/json' \\`,
        `  -d '{"title": "Hello from curl", "content": "My first note."}'`,
      ].join('\n'),
    },
  ],
});

const mcp = ({ origin, key }: Connection): WayIn => ({
  name: 'MCP',
  hint: 'For Claude Code, Cursor, VS Code and other clients. Then write there: “Write a note that says hello.”',
  snippets: [
    {
      label: 'Claude Code',
      text: `claude mcp add --transport http commonplace ${origin}/mcp \\\n  --header "Authorization: Bearer ${key}"`,
    },
    {
      label: 'Configuration of other clients',
      text: JSON.stringify({ mcpServers: { commonplace: serverOf({ origin, key }) } }, null, 2),
    },
  ],
});

const serverOf = ({ origin, key }: Connection) => ({
  type: 'http',
  url: `${origin}/mcp`,
  headers: { Authorization: `Bearer ${key}` },
});

const cli = ({ origin, key }: Connection): WayIn => ({
  name: 'CLI',
  hint: 'For shells, folders of Markdown and scheduled runs. The first line installs it from this server.',
  snippets: [
    {
      label: 'Commands',
      text: [
        `npm install --global ${origin}/packages/commonplace.tgz`,
        `export COMMONPLACE_URL=${origin}`,
        `export COMMONPLACE_API_KEY=${key}`,
        `commonplace notes write 'Hello from the shell' --text 'My first note.'`,
      ].join('\n'),
    },
  ],
});

/** Stands for a key that is not known any more. */
export const unknownKey = 'cpk_…';
