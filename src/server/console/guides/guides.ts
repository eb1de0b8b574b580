import { limits } from '#server/limits.ts'
import { renderGuide, type RenderedGuide } from './guide-markdown.ts'
import type { GuideGroup, GuideLink, GuideView } from './views.ts'

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
  return { name: name === indexName ? '' : name, ...renderGuide(text), groups: listGroups() }
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

/** The sections of the index, with the names that it gives the guides. */
function listGroups(): GuideGroup[] {
  const [, ...sections] = (texts[pathOf(indexName)] ?? '').split(/^## /m)
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    guides: [...section.matchAll(/\[([^\]]+)\]\(([a-z0-9-]+)\.md\)/g)].map(([, title = '', name = '']) => ({
      name,
      title,
    })),
  }))
}

/** All guides with their own titles, in the order of the index. */
function listGuides(): GuideLink[] {
  return listGroups()
    .flatMap(({ guides }) => guides)
    .flatMap(({ name }) => {
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
