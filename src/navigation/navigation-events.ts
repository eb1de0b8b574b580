/** The part of TanStack Router that tells of navigations. */
export interface NavigationEvents {
  subscribe(
    event: 'onBeforeNavigate' | 'onResolved',
    listener: (event: { toLocation: { href: string } }) => void,
  ): () => void
}
