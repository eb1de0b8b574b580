import { limits } from '#server/limits.ts'
import { listSections, renderGuide, type RenderedGuide } from './guide-markdown.ts'
import type { GuideGroup, GuideLink, GuideMatch, GuideView } from './views.ts'

/** The guides of `docs/`, embedded by the build, by path. They need no network. */
const texts: Readonly<Record<string, string>> = import.meta.glob('../../../../docs/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const indexName = 'README'

/** A guide by name, or the index; undefined if there is none. */
export function findGuideView(name: string = indexName): GuideView | undefined {
  const text = texts[pathOf(name)]
  if (text === undefined) return undefined
  return { name: name === indexName ? '' : name, ...renderGuide(text), groups: listGroups() }
}

/**
 * The guides whose title or name contains every word, then the headings that contain every word together with
 * their guide's title: as many as the palette shows.
 */
export function listGuidesByWords(words: readonly string[]): GuideMatch[] {
  if (words.length === 0) return []
  const lowerWords = words.map((word) => word.toLowerCase())
  const hasAll = (text: string) => lowerWords.every((word) => text.toLowerCase().includes(word))
  const hasOne = (text: string) => lowerWords.some((word) => text.toLowerCase().includes(word))
  const guides = listGuides()
  const headings = guides.flatMap(({ name, title, sections }) =>
    sections
      .filter((section) => hasOne(section.title) && hasAll(`${name} ${title} ${section.title}`))
      .map((section): GuideMatch => ({ name, title, section })),
  )
  return guides
    .filter(({ name, title }) => hasAll(`${name} ${title}`))
    .map(({ name, title }): GuideMatch => ({ name, title }))
    .concat(headings)
    .slice(0, limits.paletteEntries)
}

/** The sections of the index, with the titles that it gives the guides. */
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

let guideList: (GuideLink & Pick<GuideView, 'sections'>)[] | undefined

/** All guides with their own titles and headings, in the order of the index. Parsed once. */
function listGuides() {
  guideList ??= listGroups()
    .flatMap(({ guides }) => guides)
    .flatMap(({ name }) => {
      const text = texts[pathOf(name)]
      return text === undefined ? [] : [{ name, title: titleOf(text), sections: listSections(text) }]
    })
  return guideList
}

function titleOf(text: string): RenderedGuide['title'] {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

function pathOf(name: string): string {
  return `../../../../docs/${name}.md`
}
