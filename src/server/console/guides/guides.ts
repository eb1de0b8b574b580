import { limits } from '#server/limits.ts'
import { renderGuide, type RenderedGuide } from './guide-markdown.ts'
import type { GuideLink, GuideView } from './views.ts'

/** The guides of `docs/` as the build found them, by path. They need no network. */
const texts: Readonly<Record<string, string>> = import.meta.glob('../../../../docs/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const indexName = 'README'

/** The index of the guides, or one of them by name; undefined if there is none. */
export function findGuideView(name: string = indexName): GuideView | undefined {
  const text = texts[pathOf(name)]
  if (text === undefined) return undefined
  return { name: name === indexName ? '' : name, ...renderGuide(text), guides: listGuides() }
}

/** The guides whose title or name contains every word, at most as many as the palette shows. */
export function listGuidesByWords(words: readonly string[]): GuideLink[] {
  if (words.length === 0) return []
  const lowerWords = words.map((word) => word.toLowerCase())
  return listGuides()
    .filter(({ name, title }) => {
      const text = `${name} ${title}`.toLowerCase()
      return lowerWords.every((word) => text.includes(word))
    })
    .slice(0, limits.paletteEntries)
}

/** In the order of the index; then those that it does not name. */
function listGuides(): GuideLink[] {
  const index = texts[pathOf(indexName)] ?? ''
  const named = [...index.matchAll(/\]\(([a-z0-9-]+)\.md\)/g)].flatMap(([, name]) => name ?? [])
  const all = Object.keys(texts).map((path) => path.slice(path.lastIndexOf('/') + 1, -'.md'.length))
  const names = [...new Set([...named, ...all])].filter((name) => name !== indexName)
  return names.flatMap((name) => {
    const text = texts[pathOf(name)]
    return text === undefined ? [] : [{ name, title: titleOf(text) }]
  })
}

function titleOf(text: string): RenderedGuide['title'] {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

function pathOf(name: string): string {
  return `../../../../docs/${name}.md`
}
