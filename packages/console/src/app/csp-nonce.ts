/** The nonce of this page, which the gateway makes anew for every answer: our `<style>` elements carry it. */
export const cspNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
