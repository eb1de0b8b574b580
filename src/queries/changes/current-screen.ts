import { reloadShown } from '#queries/issues/list.ts'
import { forgetPages, type PageStore } from './changed-data.ts'

/**
 * Reloads the data of the current screen when its link is clicked. The code is loaded after the page. Only in
 * the browser. Returns the stop function.
 */
export function reloadByCurrentLinks(pages: PageStore): () => void {
  const ended = new AbortController()
  async function follow(): Promise<void> {
    const { followCurrentLinks } = await import('#navigation/current-links.ts')
    if (ended.signal.aborted) return
    const stop = followCurrentLinks((isSame) => {
      if (isSame) void reloadShown(pages.queryClient)
      else forgetPages(pages)
    })
    ended.signal.addEventListener('abort', stop)
  }
  // If the code fails to load, the link shows the cached data.
  void follow().catch(() => {})
  return () => ended.abort()
}
