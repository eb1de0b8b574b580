import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'

/**
 * The nonce of the page being rendered, which its scripts must carry under the CSP; undefined in the browser.
 */
export const requestNonce = createIsomorphicFn()
  .server((): string | undefined => getGlobalStartContext()?.nonce)
  .client((): string | undefined => undefined)
