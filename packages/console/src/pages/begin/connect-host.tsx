import { Anchor, Text } from '@mantine/core';
import { Copyable } from '../../components/copyable.tsx';
import { Panel } from '../../components/panel.tsx';

const guide =
  'Claude.ai and Claude Desktop: Customize → Connectors → + → Add custom connector. ChatGPT: Settings → Apps, in developer mode. Cursor, VS Code, Codex and others: add an MCP server with this address.';

/** The way in for hosts that take no key: one address. */
export const ConnectHost = () => (
  <Panel title="Connect Claude, ChatGPT, Cursor…">
    <Text size="sm" c="dimmed">
      Paste this address into the host. It opens this site, where you choose what it may do; no key
      is copied. {guide} A host in the cloud reaches only a public https address.
    </Text>
    <Copyable label="Address for hosts" text={`${location.origin}/connect/mcp`} />
    <Text size="sm" c="dimmed">
      For programs that hold a key, go through the steps below, or see the{' '}
      <Anchor href="/api/docs" underline="always">
        API
      </Anchor>
      .
    </Text>
  </Panel>
);
