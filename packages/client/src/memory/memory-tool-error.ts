/** A command that the memory tool refuses. The message is the text for the model. */
export class MemoryToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MemoryToolError';
  }
}
