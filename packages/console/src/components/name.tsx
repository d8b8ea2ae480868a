/** The name of an agent, a person, a company, a key or an app: one line, the whole of it under the pointer. */
export const Name = ({ children }: { readonly children: string }) => (
  <bdi className="one-line name" title={children}>
    {children}
  </bdi>
);
