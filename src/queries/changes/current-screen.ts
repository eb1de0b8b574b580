import { reloadShown } from '#queries/issues/list.ts'
import { forgetPages, type PageStore } from './changed-data.ts'

/**
 * A click on the link of the current screen reads its data again. The code for it loads after the page. Only
 * in the browser. Returns the function that ends it.
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
  // Without it the link shows the stored data.
  void follow().catch(() => {})
  return () => ended.abort()
}
