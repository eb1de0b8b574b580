import MarkdownIt from 'markdown-it'

/** A text of a message, as its service renders it. */
export interface ShownText {
  /** The visible text, without markup. */
  text: string
  /** URLs that can be clicked. */
  links: string[]
}

/** Slack's text: code first, then everything between angle brackets, then bare URLs. */
export function readMrkdwn(source: string, knowsCode: boolean): ShownText {
  const outside = knowsCode ? source.replaceAll(/`[^`\n]+`/g, (code) => ' '.repeat(code.length)) : source
  const links = [...outside.matchAll(/<([^>|]*)(?:\|[^>]*)?>/g)].map(([, target = '']) => target)
  const bare = outside.replaceAll(/<[^>]*>/g, '').match(/https?:\/\/\S+|\bwww\.\S+/gi) ?? []
  const text = source
    .replaceAll(/<[^>|]*\|?([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return { text, links: [...links, ...bare] }
}

const markdown = new MarkdownIt({ linkify: true, html: false })
markdown.linkify.set({ fuzzyEmail: true, fuzzyLink: true })

/** The Markdown of Discord and Mattermost: an error if it contains a mention. */
export function readMarkdown(source: string): ShownText {
  const html = markdown.render(source)
  const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) =>
    target.replaceAll('&amp;', '&'),
  )
  const outside = html.replaceAll(/<code>[^]*?<\/code>/g, '').replaceAll(/<[^>]*>/g, '')
  if (/@(?:everyone|here|channel|all)\b/.test(outside)) throw new Error(`a mention in ${outside}`)
  if (/<(?:h[1-6]|table|blockquote|ul|ol|pre|img)\b/.test(html)) throw new Error(`markup in ${html}`)
  return { text: html.replaceAll(/<[^>]*>/g, ''), links }
}

/** HTML with these tags and no other; a link that a client would detect counts, outside of code. */
export function readHtml(source: string, tags: RegExp): ShownText {
  for (const [tag] of source.matchAll(/<[^>]*>?/g))
    if (!tags.test(tag)) throw new Error(`the tag ${tag.slice(0, 100)}`)
  const links = [...source.matchAll(/href="([^"]*)"/g)].map(([, target = '']) =>
    target.replaceAll('&amp;', '&'),
  )
  const outside = source.replaceAll(/<(code|style|a)\b[^]*?<\/\1>/g, ' ').replaceAll(/<[^>]*>/g, ' ')
  return { text: outside, links: [...links, ...findBareLinks(outside)] }
}

/** The links and mentions that clients detect in plain text. */
export function findBareLinks(text: string): string[] {
  const found = markdown.linkify.match(text)?.map((match) => match.url) ?? []
  return [...found, ...(text.match(/(?:^|\s)@\w+/g) ?? [])]
}

/** Text that its service shows as it is. */
export function readPlain(text: string): ShownText {
  return { text, links: findBareLinks(text) }
}
