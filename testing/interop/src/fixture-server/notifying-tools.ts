import type { McpServer } from '@modelcontextprotocol/server';
import { textOf } from './samples.ts';
import { z } from 'zod';

const none = z.object({});

/** Adds the tools that send notifications before their result. */
export const addNotifyingTools = (mcp: McpServer): void => {
  mcp.registerTool(
    'test_tool_with_logging',
    { description: 'Sends three log messages', inputSchema: none },
    async (_given, { mcpReq }) => {
      for (const data of ['execution started', 'processing data', 'execution completed']) {
        const params = { level: 'info', data: `Tool ${data}` } as const;
        await mcpReq.notify({ method: 'notifications/message', params });
      }
      return { content: [textOf('Logged.')] };
    },
  );
  mcp.registerTool(
    'test_logging_tool',
    { description: 'Logs, if the request says so', inputSchema: none },
    async (_given, { mcpReq }) => {
      await mcpReq.log('info', 'test_logging_tool runs');
      return { content: [textOf('Logged.')] };
    },
  );
  mcp.registerTool(
    'test_tool_with_progress',
    { description: 'Reports its progress, if the request has a token', inputSchema: none },
    async (_given, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? '', progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [textOf(String(progressToken))] };
    },
  );
};
