import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderGuide } from './guide-markdown.ts'
import { findGuideView, listGuidesByWords } from './guides.ts'
import type { GuideNode } from './views.ts'

function linksIn(nodes: readonly GuideNode[]): GuideNode[] {
  return nodes.flatMap((node) =>
    node.kind === 'text' ? [] : [...(node.kind === 'element' ? [] : [node]), ...linksIn(node.children)],
  )
}

function idsIn(nodes: readonly GuideNode[]): string[] {
  return nodes.flatMap((node) =>
    node.kind === 'text'
      ? []
      : [...(node.kind === 'element' && node.id !== undefined ? [node.id] : []), ...idsIn(node.children)],
  )
}

function textOf(nodes: readonly GuideNode[]): string {
  return nodes.map((node) => (node.kind === 'text' ? node.text : textOf(node.children))).join('')
}

const index = findGuideView()
const guides = (index?.groups ?? []).flatMap((group) => group.guides)
const files = readdirSync(join(import.meta.dirname, '../../../../docs'))
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length))

describe('the documentation', () => {
  it('has an index that names every guide once', () => {
    const named = linksIn(index?.nodes ?? []).flatMap((node) => (node.kind === 'guide' ? [node.name] : []))
    expect(named.toSorted()).toEqual(files.toSorted())
    expect(guides.map(({ name }) => name)).toEqual(named)
    expect(index?.groups.map(({ title }) => title)).toContain('Operation')
  })

  it('has no two guides with the same title', () => {
    const titles = guides.map(({ title }) => title)
    expect(titles.filter((title, position) => titles.indexOf(title) !== position)).toEqual([])
  })

  it.for(guides)('links only to existing guides and headings: $name', ({ name }) => {
    const view = findGuideView(name)
    expect(view?.title).not.toBe('')
    const broken = linksIn(view?.nodes ?? []).filter((link) => {
      if (link.kind !== 'guide') return false
      const target = findGuideView(link.name)
      return target === undefined || (link.hash !== undefined && !idsIn(target.nodes).includes(link.hash))
    })
    expect(broken).toEqual([])
  })

  it('has no page under an unknown name', () => {
    expect(findGuideView('no-such-guide')).toBeUndefined()
  })

  it('is found by words of a title', () => {
    const [first] = listGuidesByWords(['source', 'MAPS'])
    expect(first).toEqual({ name: 'source-maps', title: 'Source maps' })
    expect(listGuidesByWords([])).toEqual([])
    expect(listGuidesByWords(['no', 'such', 'thing'])).toEqual([])
  })

  it('is found by words of a heading, alone or with words of the title', () => {
    const section = { id: 'not-supported', title: 'Not supported' }
    const found = { name: 'api', title: 'The API', section }
    expect(listGuidesByWords(['not', 'supported'])).toContainEqual(found)
    expect(listGuidesByWords(['api', 'supported'])).toEqual([found])
    for (const { section: heading, name } of listGuidesByWords(['a'])) {
      const ids = idsIn(findGuideView(name)?.nodes ?? [])
      expect(heading === undefined || ids.includes(heading.id)).toBe(true)
    }
  })
})

describe('a guide', () => {
  it('shows HTML as text, and does not link to files that the console does not serve', () => {
    const { nodes, title } = renderGuide(
      '# A `b`\n\n<script>x</script> [d](decisions/0001.md) [s](javascript:x)',
    )
    expect(title).toBe('A b')
    expect(textOf(nodes)).toContain('<script>x</script>')
    expect(linksIn(nodes)).toEqual([])
  })

  it('numbers equal headings as GitHub does', () => {
    expect(idsIn(renderGuide('# A\n## In use\n## In use').nodes)).toEqual(['a', 'in-use', 'in-use-1'])
  })
})
