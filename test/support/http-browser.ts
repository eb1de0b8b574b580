/** Requests with cookies and redirects, like a browser without JavaScript. */
export interface HttpBrowser {
  /** The cookies of the server under test. */
  cookies: Map<string, string>
  /** Opens an address and follows redirects, also to other servers. */
  open(path: string): Promise<Visit>
  /** Posts a form to a page of the server and follows redirects. */
  post(path: string, fields: Record<string, string>): Promise<Visit>
  /** Opens an address and follows no redirect: returns its target. */
  step(path: string): Promise<string>
  isSignedIn(): boolean
}

/** The last answer after all redirects. */
export interface Visit {
  /** Path and query of the last address. */
  path: string
  status: number
  text: string
}

const maxRedirects = 10

/** A browser with no cookies yet. `address` is sent as the address that a proxy saw. */
export function createHttpBrowser(origin: string, address?: string): HttpBrowser {
  const cookies = new Map<string, string>()

  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: headersFor(url) })
    if (url.origin === origin) keepCookies(answer)
    return answer
  }

  const visit = async (first: string, init: RequestInit): Promise<Visit> => {
    let url = new URL(first, origin)
    let options = init
    for (let count = 0; ; count += 1) {
      const answer = await request(url, options)
      const location = answer.headers.get('location')
      if (location === null || count === maxRedirects)
        return { path: url.pathname + url.search, status: answer.status, text: await answer.text() }
      await answer.body?.cancel()
      url = new URL(location, url)
      options = {}
    }
  }

  const headersFor = (url: URL): Record<string, string> => {
    if (url.origin !== origin) return {}
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      ...(cookie !== '' && { cookie }),
      ...(address !== undefined && { 'x-forwarded-for': address }),
    }
  }

  const keepCookies = (answer: Response): void => {
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)/.exec(text) ?? []
      if (/max-age=0\b/i.test(attributes)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  return {
    cookies,
    open: (path) => visit(path, {}),
    post: (path, fields) => visit(path, { method: 'POST', body: new URLSearchParams(fields) }),
    async step(path) {
      const url = new URL(path, origin)
      const answer = await request(url, {})
      await answer.body?.cancel()
      return new URL(answer.headers.get('location') ?? '', url).href
    },
    isSignedIn: () => [...cookies.keys()].some((name) => name.endsWith('session_token')),
  }
}
