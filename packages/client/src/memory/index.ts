export {
  createMemoryTool,
  type MemoryTool,
  type MemoryToolOptions,
  type MemoryToolResult,
} from './create-memory-tool.ts';
export type { MemoryCommand } from './memory-command.ts';
export { MemoryToolError } from './memory-tool-error.ts';
