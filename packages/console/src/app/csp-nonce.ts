/** The nonce that the content security policy requires of `<style>` elements; the gateway generates it for every response. */
export const cspNonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
