import { createHash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import { findPublicOrganization } from '#server/store/monitors/status-page.ts'
import type { Store } from '#server/store/store.ts'
import { renderNoStatusPage, renderStatusPage } from './render-status-page.ts'
import { statusPagePolicy } from './status-page-style.ts'
import { readStatusPageView } from './status-page-view.ts'

/** The public status pages of organizations. */
export interface StatusPages {
  /** Answers a request for the page of an organization: 404 if it has none. Requires no session. */
  answer(request: Request, slug: string): Promise<Response>
}

interface RenderedPage {
  /** `performance.now()` when it was read. */
  readAt: number
  body: string
  etag: string
}

/** Creates the pages, each cached for `limits.statusPageCachedMs`, because they can have many readers. */
export function createStatusPages({ store }: { store: Store }): StatusPages {
  const pages = new Map<string, Promise<RenderedPage | undefined>>()
  const read = async (slug: string): Promise<RenderedPage | undefined> => {
    const organization = await findPublicOrganization(store.db, slug)
    if (organization === undefined) return undefined
    const body = renderStatusPage(await readStatusPageView(store, organization))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    return { readAt: performance.now(), body, etag }
  }
  const find = async (slug: string): Promise<RenderedPage | undefined> => {
    const known = await pages.get(slug)?.catch(() => undefined)
    if (known !== undefined && performance.now() - known.readAt < limits.statusPageCachedMs) return known
    const reading = read(slug)
    // Only existing pages are cached, so there are at most as many as organizations.
    pages.set(slug, reading)
    const page = await reading.catch((error: unknown) => {
      pages.delete(slug)
      throw error
    })
    if (page === undefined) pages.delete(slug)
    return page
  }
  return {
    async answer(request, slug) {
      const page = await find(slug)
      if (page === undefined) return notFound()
      const headers = {
        'cache-control': `public, max-age=${limits.statusPageCachedMs / 1_000}`,
        etag: page.etag,
        'content-security-policy': statusPagePolicy,
      }
      const isKnown = request.headers.get('if-none-match')?.includes(page.etag) ?? false
      if (isKnown) return new Response(null, { status: 304, headers })
      return new Response(page.body, {
        headers: { ...headers, ...htmlType },
      })
    },
  }
}

const htmlType = { 'content-type': 'text/html; charset=utf-8' }

/** The same whether the organization exists or not. */
function notFound(): Response {
  const headers = { ...htmlType, 'content-security-policy': statusPagePolicy }
  return new Response(renderNoStatusPage(), { status: 404, headers })
}
