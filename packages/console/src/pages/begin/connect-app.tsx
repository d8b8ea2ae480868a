import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { appAddressQuery } from '../../api/app-address-query.ts';
import { PlainList } from '../../components/plain-list.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { Panel } from '../../components/panel.tsx';

/** Where the apps take the address, as docs/connect.md says in full. */
const places = [
  ['Claude.ai, Claude Desktop', 'Customize → Connectors → + → Add custom connector'],
  ['ChatGPT', 'Settings → Apps → Create app, in developer mode'],
  ['Cursor, VS Code, others', 'add an MCP server with this address'],
] as const;

/** Those that take it by a command. */
const commands = (address: string) =>
  [
    ['Claude Code', `claude mcp add --transport http commonplace ${address}`],
    ['Codex', `codex mcp add commonplace --url ${address}`],
  ] as const;

/** The way in for apps that take no key: one address. */
export const ConnectApp = () => {
  const { data: address } = useQuery(appAddressQuery);
  return (
    <Panel title="Connect Claude, ChatGPT, Cursor…">
      <Text size="sm" c="dimmed">
        Paste this address into the app. It opens this site, where you choose what it may do; no key
        is copied. An app in the cloud reaches only a public https address.
      </Text>
      {address !== undefined && <Copyable label="Address for apps" text={address} />}
      {address !== undefined && new URL(address).host !== location.host && (
        <Text size="sm">
          Apps use {new URL(address).host}, where you sign in as well when you connect one.
        </Text>
      )}
      <PlainList gap={4}>
        {places.map(([app, place]) => (
          <Text key={app} component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{app}</b>: {place}
          </Text>
        ))}
      </PlainList>
      {address !== undefined &&
        commands(address).map(([app, command]) => (
          <Copyable key={app} label={`${app}, in a shell`} text={command} />
        ))}
      <Text size="sm" c="dimmed">
        For programs that hold a key, go through the steps below, or see the{' '}
        <Anchor href="/api/docs" underline="always">
          API
        </Anchor>
        .
      </Text>
    </Panel>
  );
};
