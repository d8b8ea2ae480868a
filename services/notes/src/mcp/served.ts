/** A JSON-RPC message with status 200, or a response of the SDK's HTTP layer. */
export type Served = { readonly message: object } | { readonly response: Response };
