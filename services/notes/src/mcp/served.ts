/** A JSON-RPC message with status 200, the messages of a batch as they come, or a response of the SDK's HTTP layer. */
export type Served =
  | { readonly message: object }
  | { readonly messages: AsyncGenerator<string, void> }
  | { readonly response: Response };
