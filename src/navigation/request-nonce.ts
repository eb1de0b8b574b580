import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'

/** The nonce of the page being rendered, which the CSP requires on its scripts; undefined in the browser. */
export const requestNonce = createIsomorphicFn()
  .server((): string | undefined => getGlobalStartContext()?.nonce)
  .client((): string | undefined => undefined)
